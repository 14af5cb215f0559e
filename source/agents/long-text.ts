import {join} from 'node:path';
import {runPath} from '../runs/layout.ts';
import {textArgument} from './argument.ts';
import type {Invocation} from './invocation.ts';
import {promptOf} from './program.ts';

type Which = 'prompt' | 'system';

/** A file for one run's agent to read. */
export type LongText = {
	/** Absolute. */
	readonly path: string;
	readonly text: string;
};

/** Prefix of these files' names. Git is told to ignore them (docs/rules.md §8). */
export const longTextPrefix = '.hive-run-';

/** Paths of these files. */
export const longTextPaths = (workspace: string, agentId: string): Readonly<Record<Which, string>> => ({
	prompt: join(workspace, `${longTextPrefix}${agentId}-prompt.txt`),
	system: join(workspace, `${longTextPrefix}${agentId}-system.txt`),
});

/**
 * The text as one argument, or a pointer to its file if it is too long. The file is in the run directory. If
 * that is outside of the workspace, the file is in the workspace, since tools read nothing outside.
 */
export const promptArgument = (invocation: Invocation, which: Which): string =>
	textArgument(invocation[which] ?? '', readablePath(invocation, which));

/** The same for the system text and the task text together. */
export const wholePromptArgument = (invocation: Invocation): string => {
	const prompt = readablePath(invocation, 'prompt');
	const files =
		invocation.system === undefined ? prompt : `${readablePath(invocation, 'system')} and ${prompt}`;
	return textArgument(promptOf(invocation), files);
};

const readablePath = ({workspace, agentId, runDir}: Invocation, which: Which): string =>
	runDir.startsWith(`${workspace}/`) ? runPath(runDir, which) : longTextPaths(workspace, agentId)[which];

/** The files to write into the workspace, because the program is pointed to them. */
export const longTextsOf = (
	invocation: Invocation,
	{argv, env}: {readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>>},
): readonly LongText[] => {
	const startTexts = [...argv, ...Object.values(env)];
	const paths = longTextPaths(invocation.workspace, invocation.agentId);
	return (['system', 'prompt'] as const).flatMap(which => {
		const [path, text] = [paths[which], invocation[which]];
		return text !== undefined && startTexts.some(startText => startText.includes(path)) ? [{path, text}] : [];
	});
};
