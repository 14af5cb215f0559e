import type {StoredEvent} from '../../source/domain/event.ts';
import type {Fold} from './invariants.ts';
import type {FakeMachine, FakeRun} from './machine.ts';
import type {Deed} from './work.ts';

/** The log, and what was done beside it. */
export type Played = {readonly folds: readonly Fold[]; readonly machines: readonly FakeMachine[]};

/** By agent id; a run that was never launched is not among them. */
export const runsOn = ({machines}: Played): ReadonlyMap<string, FakeRun> =>
	new Map(
		machines.flatMap(({runs}) =>
			[...runs.values()].map(run => [run.launch?.env.HIVE_AGENT_ID ?? '', run] as const),
		),
	);

export const deedsOf = ({machines}: Played): readonly Deed[] => machines.flatMap(({work}) => work.deeds);

/** By sequence. */
export const eventsOf = ({folds}: Played): ReadonlyMap<number, StoredEvent> =>
	new Map(folds.map(({event}) => [event.sequence, event]));

/** What a tree holds that any machine has kept. */
export const marksAt = ({machines}: Played, tree: string): ReadonlySet<string> =>
	new Set(machines.flatMap(({work}) => [...work.read(tree)]));
