import type {Detail} from '../../domain/errors.ts';

type Cue = {readonly id: string; readonly description: string; readonly emit: string};
type Bee = {readonly role: string; readonly adapter: string; readonly worktree: boolean};

export const cueViews = ({cues}: {readonly cues: ReadonlyMap<string, Cue>}): readonly Cue[] =>
	[...cues.values()].map(({id, description, emit}) => ({id, description, emit}));

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
