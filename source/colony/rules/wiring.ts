import type {EventType} from '../../domain/event.ts';
import {kindRule} from '../../domain/event-kinds.ts';
import {type Bee, type Colony, declares, type EventRule, proposesIn} from '../colony.ts';
import type {Rule, Trouble} from './rule.ts';

/** Checks of what bees publish and take (docs/rules.md §9). */
export const wiringRules: readonly Rule[] = [
	{
		id: 'publish-mismatch',
		level: 'error',
		says: 'A bee proposes in the workspace that it works in.',
		check: colony => eachBee(colony, publishMismatch),
	},
	{
		id: 'subscribe-mismatch',
		level: 'error',
		says: 'A guard works in the workspace whose proposals it takes.',
		check: colony => eachBee(colony, subscribeMismatch),
	},
	{
		id: 'kind-type',
		level: 'error',
		says: 'Known kinds stand under their own event type.',
		check: colony => eachBee(colony, wrongTypes),
	},
	{
		id: 'direct-denied',
		level: 'error',
		says: 'Direct subscriptions name events that may start a bee.',
		check: colony => eachBee(colony, deniedDirect),
	},
	{
		id: 'task-dispatch',
		level: 'warning',
		says: 'Only task.ready is dispatched to a bee as a task.',
		check: colony => eachBee(colony, idleTaskRules),
	},
	{
		id: 'own-receiver',
		level: 'warning',
		says: 'Who completes a task by its commit gate is not who proposed.',
		check: colony => eachBee(colony, ownReceiver),
	},
	{
		id: 'idle-receiver',
		level: 'warning',
		says: 'Something starts the bee that completes tasks.',
		check: colony => eachBee(colony, idleReceiver),
	},
	{
		id: 'unwatched-proposals',
		level: 'advisory',
		says: 'A guard reviews every kind of proposal that is published.',
		check: colony => eachBee(colony, unwatched),
	},
	{
		id: 'half-guard',
		level: 'advisory',
		says: 'A guard of root proposals declares both verdicts.',
		check: colony => eachBee(colony, halfGuard),
	},
];

type BeeCheck = (bee: Bee, colony: Colony) => readonly Omit<Trouble, 'path'>[];

const eachBee = (colony: Colony, check: BeeCheck): Trouble[] =>
	[...colony.bees.values()].flatMap(bee => check(bee, colony).map(trouble => ({path: bee.file, ...trouble})));

const isolated = 'code.proposal.isolated';
const root = 'code.proposal.root';
const proposals = {isolated, root} as const;

const publishMismatch: BeeCheck = bee => {
	const own = bee.worktree ? isolated : root;
	const other = bee.worktree ? root : isolated;
	if (!declares(bee, 'MUTATION', other) || declares(bee, 'MUTATION', own)) return [];
	return [
		{
			message: `"${bee.role}" publishes ${other} but has worktree: ${bee.worktree}, so nothing is proposed`,
			fix: `Publish ${own}, or set worktree: ${!bee.worktree}.`,
		},
	];
};

const subscribeMismatch: BeeCheck = bee => {
	const other = bee.worktree ? root : isolated;
	if (!takesDirectly(bee, {type: 'MUTATION', kind: other})) return [];
	return [
		{
			message: `"${bee.role}" takes ${other} but has worktree: ${bee.worktree}`,
			fix: `Set worktree: ${!bee.worktree}, or take ${bee.worktree ? isolated : root}.`,
		},
	];
};

/** As it is written: a rule without a kind takes the proposals of its bee's own workspace, so it is no mismatch. */
const takesDirectly = (
	bee: Bee,
	event: {readonly type: EventType; readonly kind: string | undefined},
): boolean =>
	bee.subscribes.some(
		({type, kind, dispatch}) => dispatch === 'direct' && type === event.type && kind === event.kind,
	);

const wrongTypes: BeeCheck = ({subscribes, publishes}) =>
	[...subscribes, ...publishes].flatMap(({type, kind = ''}) => {
		const known = kindRule(kind)?.type;
		if (known === undefined || known === type) return [];
		return [{message: `${kind} is a kind of ${known}, not of ${type}`, fix: `Write type: ${known}.`}];
	});

const deniedDirect: BeeCheck = ({subscribes}) =>
	subscribes
		.filter(rule => rule.dispatch === 'direct' && !mayStartDirectly(rule))
		.map(({type, kind}) => ({
			message: `${type}/${kind ?? '*'} never starts a bee directly`,
			fix: 'Subscribe to a signal of the colony, a verdict or a proposal.',
		}));

/** Signals of the colony, verdicts and proposals (docs/rules.md §4). */
const mayStartDirectly = ({type, kind}: EventRule): boolean => {
	if (type === 'INSIGHT') return false;
	if (kind === undefined) return true;
	if (type === 'VERIFICATION') return kind.startsWith('verification.');
	if (type === 'MUTATION') return kind.startsWith('code.proposal');
	return !kindRule(kind)?.notDirect;
};

const idleTaskRules: BeeCheck = ({subscribes}) =>
	subscribes
		.filter(({type, kind, dispatch}) => dispatch === 'task' && (type !== 'SIGNAL' || kind !== 'task.ready'))
		.map(({type, kind}) => ({
			message: `${type}/${kind ?? '*'} with dispatch: task starts nothing`,
			fix: 'Use dispatch: direct, or subscribe to SIGNAL task.ready.',
		}));

const completes = (bee: Bee): boolean => declares(bee, 'VERIFICATION', 'task.completed');

const ownReceiver: BeeCheck = bee =>
	completes(bee) && proposesIn(bee) === 'isolated'
		? [
				{
					message: `"${bee.role}" both proposes and publishes task.completed: its tasks wait for itself`,
					fix: 'Let another bee publish task.completed, or none.',
				},
			]
		: [];

const idleReceiver: BeeCheck = bee =>
	completes(bee) && !bee.subscribes.some(({dispatch}) => dispatch === 'direct')
		? [
				{
					message: `"${bee.role}" publishes task.completed but no event starts it: proposals wait for a person`,
					fix: 'Let it take code.proposal.isolated or verification.success directly.',
				},
			]
		: [];

const unwatched: BeeCheck = (bee, {bees}) => {
	const workspace = proposesIn(bee);
	if (workspace === undefined) return [];
	const event = {type: 'MUTATION', kind: proposals[workspace]} as const;
	const anyOfIts = {type: 'MUTATION', kind: undefined} as const;
	const watches = (other: Bee) =>
		takesDirectly(other, event) || (other.worktree === bee.worktree && takesDirectly(other, anyOfIts));
	if ([...bees.values()].some(watches)) return [];
	return [
		{
			message: `no bee reviews the ${workspace} proposals of "${bee.role}"`,
			fix: `Add a guard that takes ${event.kind} directly, or review them yourself.`,
		},
	];
};

const halfGuard: BeeCheck = bee => {
	if (!takesDirectly(bee, {type: 'MUTATION', kind: root})) return [];
	const missing = ['verification.success', 'verification.failed'].filter(
		kind => !declares(bee, 'VERIFICATION', kind),
	);
	return missing.length === 0
		? []
		: [
				{
					message: `"${bee.role}" reviews root proposals but does not publish ${missing.join(' and ')}`,
					fix: 'Declare both verdicts in publishes.',
				},
			];
};
