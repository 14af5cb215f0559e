import {type AgentOutput, exitError} from '../output.ts';

/** Of a longer output the end is the summary, in characters. */
const longest = 16 * 1024;

/** What a script printed is its summary; a non-zero exit code fails the run (docs/rules.md §8). */
export const readScriptOutput = (stdout: string, exitCode: number): AgentOutput => ({
	summary: keepEnd(stdout.trim()),
	...exitError(exitCode),
});

/** Whole lines where there are any. */
const keepEnd = (text: string): string => {
	if (text.length <= longest) return text;
	const end = text.slice(-longest);
	return `… (stdout.log has the rest)\n${end.slice(end.indexOf('\n') + 1).trim()}`;
};
