import {proposedIn} from '../../source/domain/proposal-kind.ts';
import {worktreesFolder} from '../../source/workspaces/worktree/worktree-state.ts';
import {openedBy} from './invariants.ts';
import {deedsOf, eventsOf, marksAt, type Played, runsOn} from './played.ts';

/** A run that answers a proposal works in the proposal's workspace. Returns one sentence per breach. */
export const misplaced = (played: Played): string[] => {
	const runs = runsOn(played);
	const log = eventsOf(played);
	return played.folds.flatMap(fold => {
		const run = fold.after.runs.get(openedBy(fold) ?? '');
		const launch = runs.get(run?.agentId ?? '')?.launch;
		const proposal = log.get(run?.trigger ?? 0);
		const where = proposal === undefined ? undefined : proposedIn(proposal.payload.kind);
		if (run === undefined || run.verifies !== undefined) return [];
		if (launch === undefined || where === undefined) return [];
		const isIsolated = launch.workspace.includes(worktreesFolder);
		return isIsolated === (where === 'isolated')
			? []
			: [`${fold.event.sequence}: ${run.bee} looks at event ${run.trigger} in ${launch.workspace}`];
	});
};

/**
 * A verdict counts only if its run is not the task's own, worked in the proposal's workspace and found the
 * proposed tree. Runs in the root, and runs that a person requested again, may find later changes too.
 */
export const misjudged = (played: Played): string[] => {
	const runs = runsOn(played);
	const log = eventsOf(played);
	const taken = new Set(deedsOf(played).flatMap(({mark, isMade}) => (isMade ? [] : [mark])));
	return played.folds.flatMap(({event, after}) => {
		const task = [...after.tasks.values()].find(({verdict}) => verdict?.sequence === event.sequence);
		const judge = after.runs.get(event.agentId ?? '');
		const proposal = log.get(task?.proposal?.sequence ?? 0);
		if (task === undefined || judge === undefined || proposal === undefined) return [];
		const words = `${event.sequence}: the verdict of ${judge.bee} on ${task.taskId} counts,`;
		if (judge.trigger === undefined) return [`${words} which is its own work`];
		const [found, made] = [judge.agentId, proposal.agentId ?? ''].map(agentId => runs.get(agentId));
		if (found?.launch?.workspace !== made?.launch?.workspace)
			return [`${words} given in ${found?.launch?.workspace}`];
		const tree = String(proposal.payload.tree);
		const isRepeated = [...after.runs.values()].some(
			({trigger, bee, replaced}) => trigger === judge.trigger && bee === judge.bee && replaced,
		);
		if (found?.before === tree) return [];
		if (!isRepeated && judge.workspace === 'isolated') return [`${words} which found another tree`];
		const left = marksAt(played, found?.before ?? '');
		const missing = [...marksAt(played, tree)].filter(mark => !left.has(mark) && !taken.has(mark));
		return missing.map(mark => `${words} which did not find ${mark}`);
	});
};
