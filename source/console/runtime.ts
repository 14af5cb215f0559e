import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createSerialQueue} from '../domain/serial-queue.ts';
import type {ReactorState} from '../host/live/live.ts';
import type {OwnProcess} from '../host/own-process.ts';
import type {Caller} from './caller.ts';
import type {World} from './world.ts';

/** The reactor that the console keeps beside itself. Another process's is nobody's to stop from here. */
export type Runtime = {
	/** Keeps one, as long as nobody stops it. */
	readonly keep: () => Promise<void>;
	/**
	 * Keeps one unless some reactor is alive, and waits for it. Refused where the console was told to serve
	 * alone.
	 */
	readonly start: (caller: Caller) => Promise<Outcome<object>>;
	/** Nothing is started from then on; runs go on. */
	readonly stop: (caller: Caller) => Promise<Outcome<object>>;
};

type Parts = {
	readonly own: Pick<OwnProcess, 'start' | 'stop'>;
	readonly world: Pick<World, 'context' | 'colony' | 'model'>;
	/** The console may start one. */
	readonly mayKeep: boolean;
	/** Said as sentences. */
	readonly report: (message: string) => void;
};

/** Milliseconds that a reactor may take to begin, or to let go. */
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
	/** Whether it came to that in time. */
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

/** Who dispatches the colony. */
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
