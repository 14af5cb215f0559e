import type {Detail} from '../../domain/errors.ts';
import type {PlanReview} from '../../domain/plan-review.ts';

type Cue = {readonly id: string; readonly description: string; readonly emit: string};
export type CueView = Cue & {
	/** Whether a person accepts the plans of what it starts, unless they choose otherwise. */
	readonly planReview: PlanReview;
	/** Params of bees that its request may set. */
	readonly params: readonly string[];
};
type Bee = {readonly role: string; readonly adapter: string; readonly worktree: boolean};

export const cueViews = ({
	cues,
	defaults,
}: {
	readonly cues: ReadonlyMap<string, Cue & {readonly planReview?: PlanReview}>;
	readonly defaults: {readonly planReview?: PlanReview; readonly planParams?: readonly string[]};
}): readonly CueView[] =>
	[...cues.values()].map(({id, description, emit, planReview = defaults.planReview ?? 'none'}) => ({
		...{id, description, emit, planReview, params: defaults.planParams ?? []},
	}));

export const beeViews = ({bees}: {readonly bees: ReadonlyMap<string, Bee>}): readonly Bee[] =>
	[...bees.values()].map(({role, adapter, worktree}) => ({role, adapter, worktree}));

/**
 * Merges the problems of the files with those of the reactor. If both have a problem, the reactor's version
 * is used, since it says what the reactor does about it.
 */
export const configurationProblems = (
	ofFiles: readonly Detail[],
	ofReactor: readonly Detail[],
): readonly Detail[] => [
	...ofReactor,
	...ofFiles.filter(
		({path, message}) => !ofReactor.some(other => other.path === path && other.message.endsWith(message)),
	),
];
