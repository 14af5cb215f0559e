import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {ReactorState} from '../host/live/live.ts';
import type {OwnProcess} from '../host/own-process.ts';
import type {Caller} from './caller.ts';
import type {ConsoleServices} from './console-services.ts';

/** The reactor that the console keeps beside itself. It cannot stop the reactor of another process. */
export type Runtime = {
	/** Keeps a reactor running until it is stopped. */
	readonly keepRunning: () => Promise<void>;
	/**
	 * Starts a reactor unless one is alive, and waits for it. Refused if the console was started without a
	 * reactor.
	 */
	readonly start: (caller: Caller) => Promise<Outcome<object>>;
	/** Stops the kept reactor. No new runs start; open runs go on. */
	readonly stop: (caller: Caller) => Promise<Outcome<object>>;
};

type RuntimeOptions = {
	readonly reactorProcess: Pick<OwnProcess, 'start' | 'stop'>;
	readonly world: Pick<ConsoleServices, 'context' | 'colony' | 'model'>;
	/** True if the console may start a reactor. */
	readonly mayStart: boolean;
	/** Receives messages as sentences. */
	readonly report: (message: string) => void;
};

/** Milliseconds that a reactor may take to start or to stop. */
const startTimeoutMs = 30_000;

export const createRuntime = ({
	reactorProcess,
	world: services,
	mayStart,
	report,
}: RuntimeOptions): Runtime => {
	const {model, context} = services;
	const reactor = () => model.status().reactor;
	const isAlive = () => isReactorAlive(reactor());
	let isKeptRunning = false;
	const runSerially = createSerialQueue();
	const keepRunning = async (): Promise<void> => {
		if (isKeptRunning) return;
		isKeptRunning = true;
		await reactorProcess.start();
	};
	/** Waits for a condition. True if it held in time. */
	const waitUntil = async (condition: () => boolean): Promise<boolean> => {
		const over = new AbortController();
		const cancel = context.clock.after(startTimeoutMs, () => over.abort());
		await new Promise<void>(resolve => {
			const check = (): void => {
				if (condition()) over.abort();
			};
			over.signal.addEventListener('abort', () => resolve(), {once: true});
			model.onChange(over.signal, check);
			check();
		});
		cancel();
		return condition();
	};
	return {
		keepRunning: () => runSerially(keepRunning),
		start: ({label}) =>
			runSerially(async () => {
				if (isAlive()) return answer(services, 'A reactor is alive.');
				if (!mayStart)
					return refuse('wrong_status', {
						message: 'This console starts no reactor.',
						hint: 'Run "hive run" in the checkout, or start the console without --no-reactor.',
					});
				report(`A reactor is started for ${label}.`);
				await keepRunning();
				return (await waitUntil(isAlive))
					? answer(services, 'The reactor is alive.')
					: refuse('timeout', {
							message: 'The reactor has not started yet.',
							hint: 'See the output of "hive console".',
						});
			}),
		stop: ({label}) =>
			runSerially(async () => {
				if (reactor() === 'elsewhere')
					return refuse('wrong_status', {
						message: 'This console did not start the reactor.',
						hint: 'Stop it where it was started.',
					});
				if (isKeptRunning) report(`The reactor is stopped for ${label}; runs go on.`);
				isKeptRunning = false;
				await reactorProcess.stop();
				await waitUntil(() => reactor() === 'none' || reactor() === 'elsewhere');
				return answer(services, 'The reactor is stopped; runs go on.');
			}),
	};
};

const answer = (services: RuntimeOptions['world'], message: string) =>
	accepted({...runtimeOf(services), message});

const isReactorAlive = (reactor: ReactorState): boolean => reactor === 'here' || reactor === 'elsewhere';

/** The state of the colony's reactor, bus and machines. */
export const runtimeOf = ({colony: {header}, model}: Pick<ConsoleServices, 'colony' | 'model'>) => {
	const {reactor, bus, places} = model.status();
	return {
		slug: header.slug,
		colonyRoot: header.root,
		status: isReactorAlive(reactor) ? 'running' : reactor === 'starting' ? 'starting' : 'stopped',
		alive: isReactorAlive(reactor),
		reactor,
		bus,
		places,
	};
};
