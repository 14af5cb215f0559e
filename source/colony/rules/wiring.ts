import type {EventType} from '../../domain/event.ts';
import {kindRule, startsDirectRuns} from '../../domain/event-kinds.ts';
import {isVerdict, proposalKind} from '../../domain/proposal-kind.ts';
import {type Bee, type ContractRule, completes, declares, type EventRule, proposesIn} from '../colony.ts';
import {type BeeCheck, eachBee, type Rule} from './rule.ts';

/** Rules about the events that bees publish and subscribe to (docs/rules.md §9). */
export const wiringRules: readonly Rule[] = [
	{
		id: 'publish-mismatch',
		level: 'error',
		says: 'A bee proposes in the workspace that it works in.',
		check: colony => eachBee(colony, publishMismatch),
	},
	{
		id: 'kind-type',
		level: 'error',
		says: 'Known kinds have their own event type.',
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
		id: 'verdict-given',
		level: 'warning',
		says: 'The verdicts that start a bee can come from another bee.',
		check: colony => eachBee(colony, missingVerdicts),
	},
	{
		id: 'own-receiver',
		level: 'warning',
		says: 'A bee that completes tasks by a commit gate does not propose them.',
		check: colony => eachBee(colony, ownReceiver),
	},
	{
		id: 'idle-receiver',
		level: 'warning',
		says: 'An event starts the bee that completes tasks.',
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

const publishMismatch: BeeCheck = bee => {
	const own = proposalKind(bee.worktree ? 'isolated' : 'root');
	const other = proposalKind(bee.worktree ? 'root' : 'isolated');
	if (!declares(bee, 'MUTATION', other) || declares(bee, 'MUTATION', own)) return [];
	return [
		{
			message: `"${bee.role}" publishes ${other} but has worktree: ${bee.worktree}, so nothing is proposed`,
			fix: `Publish ${own}, or set worktree: ${!bee.worktree}.`,
		},
	];
};

const takesDirectly = (bee: Bee, event: {readonly type: EventType; readonly kind: string}): boolean =>
	bee.subscribes.some(
		({type, kind, dispatch}) =>
			dispatch === 'direct' && type === event.type && (kind ?? event.kind) === event.kind,
	);

const wrongTypes: BeeCheck = ({subscribes, publishes, completionContract}) =>
	[...subscribes, ...publishes, ...completionContract.flatMap(rulesOf)].flatMap(({type, kind = ''}) => {
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

const mayStartDirectly = ({type, kind}: EventRule): boolean =>
	kind === undefined ? type !== 'INSIGHT' : startsDirectRuns({type, kind});

const rulesOf = ({type, kindOneOf}: ContractRule): EventRule[] => kindOneOf.map(kind => ({type, kind}));

const missingVerdicts: BeeCheck = (bee, {bees}) =>
	bee.subscribes.flatMap(({type, kind = '', dispatch}) => {
		const isGiven = [...bees.values()].some(other => other !== bee && declares(other, type, kind));
		if (dispatch !== 'direct' || type !== 'VERIFICATION' || !isVerdict(kind) || isGiven) return [];
		return [
			{
				message: `"${bee.role}" takes ${kind}, which no other bee publishes`,
				fix: 'Let a guard publish it; no bee answers itself.',
			},
		];
	});

const idleTaskRules: BeeCheck = ({subscribes}) =>
	subscribes
		.filter(
			({type, kind, dispatch}) =>
				dispatch === 'task' && (type !== 'SIGNAL' || (kind ?? 'task.ready') !== 'task.ready'),
		)
		.map(({type, kind}) => ({
			message: `${type}/${kind ?? '*'} with dispatch: task starts nothing`,
			fix: 'Use dispatch: direct, or subscribe to SIGNAL task.ready.',
		}));

const ownReceiver: BeeCheck = bee =>
	completes(bee) && proposesIn(bee) === 'isolated'
		? [
				{
					message: `"${bee.role}" both proposes and publishes task.completed: its tasks wait for the bee itself`,
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
	const event = {type: 'MUTATION', kind: proposalKind(workspace)} as const;
	if ([...bees.values()].some(other => other !== bee && takesDirectly(other, event))) return [];
	return [
		{
			message: `no bee reviews the ${workspace} proposals of "${bee.role}"`,
			fix: `Add a guard that takes ${event.kind} directly, or review them yourself.`,
		},
	];
};

const halfGuard: BeeCheck = bee => {
	if (!bee.subscribes.some(({kind, dispatch}) => dispatch === 'direct' && kind === proposalKind('root')))
		return [];
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
