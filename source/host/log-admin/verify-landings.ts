import type {StoredEvent} from '../../domain/event.ts';
import type {Landed} from '../../domain/landing.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Git} from '../../ports/git.ts';
import {treesOf} from '../../workspaces/trees/objects.ts';

/** A merge that the log has, compared with its commit in this clone. */
export type LandingVerified = {
	readonly traceId: string;
	readonly taskId: string;
	readonly commit: string;
	/** The tree that was approved, and checked if checks were required. */
	readonly tree: string;
	/**
	 * `different`: the commit has another tree. `by_forge`: so has the merge that a forge made, since the base
	 * there had moved. `without_checks`: a person landed it without the required checks. `not_here`: this clone
	 * does not have the commit. Neither `by_forge` nor `not_here` is a problem.
	 */
	readonly state: 'same' | 'different' | 'by_forge' | 'without_checks' | 'not_here';
	readonly by: string;
	/** The run that checked the tree; absent if no check was required, or it was overridden. */
	readonly checkedBy?: string;
	/** Of an override: what the person gave as the reason, perhaps nothing. */
	readonly reason?: string;
};

/** A landing, and the tree that its commit really has. */
export type LandingFlaw = LandingVerified & {readonly found: string};

/** A landing of the log, and whether the merge was made at a forge. */
type Recorded = {readonly traceId: string; readonly landed: Landed; readonly isByForge: boolean};

/** Collects the landings of a log while it is folded, then compares them with git. */
export const createLandingCheck = () => {
	const landings: Recorded[] = [];
	return {
		/** Called after the fold of each event. A trace itself keeps only its newest landings. */
		checkTrace: ({traceId, landed: all, pullRequest}: Trace, {sequence}: StoredEvent): void => {
			const landed = all?.at(-1);
			if (landed?.sequence !== sequence) return;
			landings.push({traceId, landed, isByForge: pullRequest?.mergedAs === landed.commit});
		},
		compare: async (
			git: Git,
			root: string,
		): Promise<{readonly landings: readonly LandingVerified[]; readonly flaws: readonly LandingFlaw[]}> => {
			const trees = await treesOf(
				git,
				root,
				landings.map(({landed: {commit}}) => commit),
			);
			const compared = landings.map(recorded => {
				const found = trees.get(recorded.landed.commit);
				return {found, ...describe(recorded, found)};
			});
			return {
				landings: compared.map(({found: _, ...landing}) => landing),
				flaws: compared.flatMap(({found, ...landing}) =>
					landing.state === 'different' && found !== undefined ? [{...landing, found}] : [],
				),
			};
		},
	};
};

const describe = ({traceId, landed, isByForge}: Recorded, found: string | undefined): LandingVerified => {
	const {taskId, commit, tree, by, checkedBy, withoutChecks} = landed;
	return {
		...{traceId, taskId, commit, tree, by},
		state: stateOf({landed, isByForge}, found),
		...(checkedBy !== undefined && {checkedBy}),
		...(withoutChecks !== undefined && {reason: withoutChecks.reason}),
	};
};

/** An override is named even if its commit is elsewhere: the log alone proves it. */
const stateOf = (
	{landed: {tree, withoutChecks}, isByForge}: Omit<Recorded, 'traceId'>,
	found: string | undefined,
): LandingVerified['state'] => {
	if (found !== undefined && found !== tree) return isByForge ? 'by_forge' : 'different';
	if (withoutChecks !== undefined) return 'without_checks';
	return found === undefined ? 'not_here' : 'same';
};
