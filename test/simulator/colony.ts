import type {Bee, Colony, EventRule} from '../../source/colony/colony.ts';
import type {PlanItem} from '../../source/domain/plan-item.ts';
import type {Budget} from '../../source/domain/reserve.ts';
import {bee, colonyOf, completion, direct, isolated, planner, receiver, root} from '../reactor/scene.ts';
import type {Random} from './random.ts';

/**
 * Creates a random colony: builders in worktrees or in the root, one that completes its own tasks, and
 * optional guards, receivers and planners.
 */
export const randomColony = (random: Random): Colony => {
	const timeout = random.chance(0.6) ? {timeout: random.pick([20_000, 120_000])} : {};
	const bees = [
		bee('builder', {
			worktree: random.chance(0.7),
			publishes: [isolated, root].filter(() => random.chance(0.8)),
			...asksForNoChange(random, 0.4),
		}),
		bee('mason', {worktree: false, publishes: [root], ...timeout, ...asksForNoChange(random, 0.4)}),
		bee('scout', {worktree: random.chance(0.5), ...timeout}),
		bee('leaver', {}),
		...some(random, 0.3, bee('solo', {worktree: true, publishes: [isolated, completion, ...verdicts]})),
		...some(random, 0.5, guard(random, 'guard', [isolated])),
		...some(random, 0.4, guard(random, 'root-guard', [root])),
		...some(random, 0.2, guard(random, 'inspector', [isolated, root])),
		...some(random, 0.2, guard(random, 'inspector', [{type: 'MUTATION'}])),
		...some(random, 0.4, receiver),
		...some(random, 0.5, planner),
	];
	const budget = randomBudget(random);
	const colony = colonyOf(bees, {
		budget,
		// No draw of its own, so that the stories of other colonies stay as they were.
		...(budget.energyBudget % 3 === 0 && {planReview: 'required' as const}),
		maxParallelRuns: random.between(1, 4),
		...asksForNoChange(random, 0.2),
	});
	const verify = {commands: [['true']], timeout: 60_000, required: random.chance(0.5)};
	return random.chance(0.4) ? {...colony, verify} : colony;
};

/** The same colony, in which builders propose merges, and every merge has to pass checks before it lands. */
export const withRequiredChecks = (colony: Colony, random: Random): Colony => ({
	...colony,
	bees: new Map(
		[...colony.bees].map(([role, one]) => [
			role,
			role === 'builder' ? {...one, worktree: true, publishes: [isolated]} : one,
		]),
	),
	verify: {commands: [['true']], timeout: 60_000, required: true, parallel: random.between(1, 3)},
});

/** Some budgets limit tokens. Each run uses a hundred. */
export const randomBudget = (random: Random): Budget => ({
	energyBudget: random.between(1, 14),
	...(random.chance(0.3) && {maxTokens: random.between(1, 1000)}),
});

/** Returns the colony that the reactors read: without a bee that people may still plan with. */
export const withoutLeaver = (colony: Colony): Colony => ({
	...colony,
	bees: new Map([...colony.bees].filter(([role]) => role !== 'leaver')),
});

/**
 * Creates a plan of up to five tasks that depend on earlier ones. Their bees may be missing, and some tasks
 * are final gates.
 * @param gates the current gates of the trace, on which a task may depend too
 */
export const randomPlan = (
	random: Random,
	colony: Colony,
	prefix: string,
	gates: readonly string[] = [],
): PlanItem[] => {
	const workers = [...colony.bees.keys()].filter(role =>
		['builder', 'mason', 'scout', 'solo'].includes(role),
	);
	const ids = Array.from({length: random.between(1, 5)}, (_, index) => `${prefix}${index + 1}`);
	const items = ids.map((taskId, index): PlanItem => {
		const earlier = ids.slice(0, index).filter(() => random.chance(0.35));
		const dependsOn = [...earlier, ...gates.filter(() => random.chance(0.15))];
		const role = random.chance(0.06) ? 'leaver' : random.pickAny(workers);
		return {
			taskId,
			title: `Task ${taskId}`,
			...(random.chance(0.25) ? {} : {bee: role}),
			...(dependsOn.length === 0 ? {} : {dependsOn}),
			review: random.chance(0.25) ? 'required' : 'none',
		};
	});
	const gate = gateOf(`${prefix}gate`);
	if (random.chance(0.05)) return [gate];
	if (random.chance(0.15)) return [...items, gate];
	return random.chance(0.2) ? amongGates(random, items, prefix) : items;
};

const gateOf = (taskId: string, dependsOn: readonly string[] = []): PlanItem => ({
	taskId,
	title: 'Gate',
	review: 'final',
	dependsOn,
});

/** Adds one or two gates, each with its dependants, in any order of the plan. */
const amongGates = (random: Random, items: readonly PlanItem[], prefix: string): PlanItem[] => {
	const first = gateOf(`${prefix}gate`);
	const second = gateOf(`${prefix}gate-2`, random.chance(0.3) ? [first.taskId] : []);
	const gates = random.chance(0.5) ? [first] : random.chance(0.5) ? [first, second] : [second, first];
	const behind = items.map(item => {
		const needs = gates.filter(() => random.chance(0.3)).map(({taskId}) => taskId);
		return needs.length === 0 ? item : {...item, dependsOn: [...(item.dependsOn ?? []), ...needs]};
	});
	return [...behind, ...gates];
};

const verdicts: readonly EventRule[] = [
	{type: 'VERIFICATION', kind: 'verification.success'},
	{type: 'VERIFICATION', kind: 'verification.failed'},
];
const asksForNoChange = (random: Random, probability: number) =>
	random.chance(probability) ? ({onNoChange: 'ask'} as const) : {};
const some = (random: Random, probability: number, one: Bee): Bee[] =>
	random.chance(probability) ? [one] : [];

/** Creates a guard whose verdicts are on these proposals, whatever its own workspace is. */
const guard = (random: Random, role: string, proposals: readonly EventRule[]): Bee =>
	bee(role, {
		worktree: random.chance(0.5),
		publishes: verdicts,
		subscribes: proposals.map(direct),
		timeout: 60_000,
	});
