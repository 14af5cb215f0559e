import type {Bee, Colony, EventRule, Subscription} from '../../source/colony/colony.ts';
import type {Machine, PendingInvite, PendingRun} from '../../source/reactor/machine.ts';
import type {Occupant} from '../../source/reactor/occupancy.ts';

export const isolated: EventRule = {type: 'MUTATION', kind: 'code.proposal.isolated'};
export const root: EventRule = {type: 'MUTATION', kind: 'code.proposal.root'};
export const completion: EventRule = {type: 'VERIFICATION', kind: 'task.completed'};
export const direct = (rule: EventRule): Subscription => ({...rule, dispatch: 'direct'});
const onTask: Subscription = {type: 'SIGNAL', kind: 'task.ready', dispatch: 'task'};

/** Creates a bee that by default takes tasks, works in the colony root and proposes nothing. */
export const bee = (role: string, given: Partial<Bee> = {}): Bee => ({
	role,
	file: `.hive/bees/${role}.yaml`,
	adapter: 'script',
	command: ['true'],
	params: {},
	runSummary: 'auto',
	completionContract: [],
	worktree: false,
	intents: [],
	subscribes: [onTask],
	publishes: [],
	...given,
});

/**
 * The usual bees: a builder in the trace worktree, a mason in the root, a scout that reads in the root, and a
 * guard for each.
 */
export const builder = bee('builder', {worktree: true, publishes: [isolated]});
export const mason = bee('mason', {publishes: [root]});
export const scout = bee('scout');
export const guard = bee('guard', {worktree: true, subscribes: [direct(isolated)]});
export const rootGuard = bee('root-guard', {subscribes: [direct(root)]});
export const receiver = bee('receiver', {
	worktree: true,
	publishes: [completion],
	subscribes: [direct({type: 'VERIFICATION', kind: 'verification.success'})],
});
export const planner = bee('planner', {subscribes: [direct({type: 'SIGNAL', kind: 'feature.requested'})]});

export const colonyOf = (bees: readonly Bee[], defaults: Partial<Colony['defaults']> = {}): Colony => ({
	root: '/colony',
	slug: 'tested',
	defaults: {budget: {energyBudget: 12}, defaultBee: 'builder', maxParallelRuns: 4, ...defaults},
	sectors: new Map(),
	bees: new Map(bees.map(one => [one.role, one])),
	cues: new Map(),
	prompts: new Map(),
	problems: [],
});

/** Facts about a machine, with slots and the root as counts. */
export type Given = Partial<Omit<Machine, 'slots' | 'root'>> & {
	readonly freeSlots?: number;
	readonly root?: {readonly writers: number; readonly readers: number};
};

/** Returns the facts of an idle machine, in the checkout of `claimOf`. */
export const machineOf = ({
	freeSlots = 4,
	root = {writers: 0, readers: 0},
	...given
}: Given = {}): Machine => ({
	checkout: 'here',
	isAttended: true,
	now: '2026-01-01T00:00:00.000Z',
	runs: new Map(),
	slots: {taken: 4 - freeSlots, total: 4},
	root: [...inRoot(root.writers, true), ...inRoot(root.readers, false)],
	pending: [],
	invites: [],
	files: new Map(),
	recalled: new Map(),
	missingPrograms: new Map(),
	branchDiffers: false,
	...given,
});

const inRoot = (count: number, writes: boolean): Occupant[] =>
	Array.from({length: count}, (_, index) => ({
		traceId: 'other',
		agentId: `${writes ? 'writer' : 'reader'}-${index}`,
		bee: 'somebody',
		writes,
	}));

export const pendingRun = (kind: string, role: string, given: Partial<PendingRun> = {}): PendingRun => ({
	trigger: 1,
	kind,
	bee: role,
	...given,
});

export const pendingInvite = (inviteId: string, given: Partial<PendingInvite> = {}): PendingInvite => ({
	inviteId,
	trigger: 1,
	bee: 'drone',
	task: 'Talk it over',
	dedupe: [],
	...given,
});
