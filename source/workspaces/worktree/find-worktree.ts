import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {inspectWorktree, type TraceLocation, worktreePath} from './worktree-state.ts';

/** Returns the absolute path of a trace's worktree. Refused if there is none that git can work in. */
export const findWorktree = async (git: Git, location: TraceLocation): Promise<Outcome<string>> => {
	const {state} = await inspectWorktree(git, location);
	return state === 'whole' ? accepted(worktreePath(location)) : noWorktree(location, state);
};

type Absence = Exclude<Awaited<ReturnType<typeof inspectWorktree>>['state'], 'whole'>;

const noWorktree = ({traceId}: TraceLocation, state: Absence) =>
	refuse('wrong_status', {
		message: `The trace ${traceId} ${reasons[state]}.`,
		hint: hints[state],
	});

const reasons: Readonly<Record<Absence, string>> = {
	none: 'has no worktree here',
	missing: 'has lost its worktree: the folder is gone',
	'half-made': 'has a worktree that is still being made',
	foreign: 'has a folder in the place of its worktree that git does not open',
};

const hints: Readonly<Record<Absence, string>> = {
	none: 'A run that changes code makes it; after a merge it is removed.',
	missing: 'The next run makes it again.',
	'half-made': 'Try again in a moment.',
	foreign: 'Look at it below .hive/worktrees; nothing was changed.',
};
