import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {ReactorState} from '../host/live/live.ts';
import type {OwnProcess} from '../host/own-process.ts';
import type {Caller} from './caller.ts';
import type {World} from './world.ts';

/** The reactor that the console keeps beside itself. It cannot stop the reactor of another process. */
export type Runtime = {
	/** Keeps a reactor running until it is stopped. */
	readonly keep: () => Promise<void>;
	/**
	 * Starts a reactor unless one is alive, and waits for it. Refused if the console was started without a
	 * reactor.
	 */
	readonly start: (caller: Caller) => Promise<Outcome<object>>;
	/** Stops the kept reactor. No new runs start; open runs go on. */
	readonly stop: (caller: Caller) => Promise<Outcome<object>>;
};

type Parts = {
	readonly own: Pick<OwnProcess, 'start' | 'stop'>;
	readonly world: Pick<World, 'context' | 'colony' | 'model'>;
	/** True if the console may start a reactor. */
	readonly mayKeep: boolean;
	/** Receives messages as sentences. */
	readonly report: (message: string) => void;
};

/** Milliseconds that a reactor may take to start or to stop. */
const patience = 30_000;

export const createRuntime = ({own, world, mayKeep, report}: Parts): Runtime => {
	const {model, context} = world;
	const reactor = () => model.status().reactor;
	const isAlive = () => isReactorAlive(reactor());
	let isKept = false;
	const inTurn = createSerialQueue();
	const keep = async (): Promise<void> => {
		if (isKept) return;
		isKept = true;
		await own.start();
	};
	/** Waits for a condition. True if it held in time. */
	const comesTo = async (isSo: () => boolean): Promise<boolean> => {
		const over = new AbortController();
		const cancel = context.clock.after(patience, () => over.abort());
		await new Promise<void>(resolve => {
			const look = (): void => {
				if (isSo()) over.abort();
			};
			over.signal.addEventListener('abort', () => resolve(), {once: true});
			model.moved(over.signal, look);
			look();
		});
		cancel();
		return isSo();
	};
	return {
		keep: () => inTurn(keep),
		start: ({label}) =>
			inTurn(async () => {
				if (isAlive()) return answer(world, 'A reactor is alive.');
				if (!mayKeep)
					return refuse('wrong_status', {
						message: 'This console serves alone, and starts no reactor.',
						hint: 'Run "hive run" there, or start the console without --no-reactor.',
					});
				report(`A reactor is started for ${label}.`);
				await keep();
				return (await comesTo(isAlive))
					? answer(world, 'The reactor is alive.')
					: refuse('timeout', {
							message: 'The reactor has not begun yet.',
							hint: 'See what the console printed.',
						});
			}),
		stop: ({label}) =>
			inTurn(async () => {
				if (reactor() === 'elsewhere')
					return refuse('wrong_status', {
						message: 'The reactor is not one that this console keeps.',
						hint: 'End it where it was started.',
					});
				if (isKept) report(`The reactor is stopped for ${label}; runs go on.`);
				isKept = false;
				await own.stop();
				await comesTo(() => reactor() === 'none' || reactor() === 'elsewhere');
				return answer(world, 'The reactor is stopped; runs go on.');
			}),
	};
};

const answer = (world: Parts['world'], message: string) => accepted({...runtimeOf(world), message});

const isReactorAlive = (reactor: ReactorState): boolean => reactor === 'here' || reactor === 'elsewhere';

/** The state of the colony's reactor, bus and machines. */
export const runtimeOf = ({colony: {header}, model}: Pick<World, 'colony' | 'model'>) => {
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
