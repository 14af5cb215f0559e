import {join} from 'node:path';
import {runPath} from '../runs/layout.ts';
import {textArgument} from './argument.ts';
import type {Invocation} from './invocation.ts';
import {promptOf} from './program.ts';

type Which = 'prompt' | 'system';

/** A file that is there for one run's agent to read. */
export type LongText = {
	/** Absolute. */
	readonly path: string;
	readonly text: string;
};

/** What the names of those files begin with; git is told to ignore them (docs/rules.md §8). */
export const longTextPrefix = '.hive-run-';

/** Where they are. */
export const longTextPaths = (workspace: string, agentId: string): Readonly<Record<Which, string>> => ({
	prompt: join(workspace, `${longTextPrefix}${agentId}-prompt.txt`),
	system: join(workspace, `${longTextPrefix}${agentId}-system.txt`),
});

/**
 * The text as one argument, or where to read it when it is too long: in the run directory, or beside what the
 * agent works on where that is outside of its workspace, since tools read nothing there.
 */
export const promptArgument = (invocation: Invocation, which: Which): string =>
	textArgument(invocation[which] ?? '', readablePath(invocation, which));

/** The same of system and task text as one. */
export const wholePromptArgument = (invocation: Invocation): string => {
	const prompt = readablePath(invocation, 'prompt');
	const files =
		invocation.system === undefined ? prompt : `${readablePath(invocation, 'system')} and ${prompt}`;
	return textArgument(promptOf(invocation), files);
};

const readablePath = ({workspace, agentId, runDir}: Invocation, which: Which): string =>
	runDir.startsWith(`${workspace}/`) ? runPath(runDir, which) : longTextPaths(workspace, agentId)[which];

/** What has to be put in the workspace, since the program is told to read it there. */
export const longTextsOf = (
	invocation: Invocation,
	{argv, env}: {readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>>},
): readonly LongText[] => {
	const told = [...argv, ...Object.values(env)];
	const paths = longTextPaths(invocation.workspace, invocation.agentId);
	return (['system', 'prompt'] as const).flatMap(which => {
		const [path, text] = [paths[which], invocation[which]];
		return text !== undefined && told.some(words => words.includes(path)) ? [{path, text}] : [];
	});
};
