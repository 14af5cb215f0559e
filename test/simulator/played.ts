import type {StoredEvent} from '../../source/domain/event.ts';
import type {Fold} from './invariants.ts';
import type {FakeMachine, FakeRun} from './machine.ts';
import type {Deed} from './work.ts';

/** The log, and the state of the machines beside it. */
export type Played = {readonly folds: readonly Fold[]; readonly machines: readonly FakeMachine[]};

/** Returns all launched runs by agent id. */
export const runsOn = ({machines}: Played): ReadonlyMap<string, FakeRun> =>
	new Map(
		machines.flatMap(({runs}) =>
			[...runs.values()].map(run => [run.launch?.env.HIVE_AGENT_ID ?? '', run] as const),
		),
	);

export const deedsOf = ({machines}: Played): readonly Deed[] => machines.flatMap(({work}) => work.deeds);

/** Returns all events by sequence. */
export const eventsOf = ({folds}: Played): ReadonlyMap<number, StoredEvent> =>
	new Map(folds.map(({event}) => [event.sequence, event]));

/** Returns the marks of a tree that any machine has stored. */
export const marksAt = ({machines}: Played, tree: string): ReadonlySet<string> =>
	new Set(machines.flatMap(({work}) => [...work.read(tree)]));
