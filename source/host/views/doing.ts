import {type RunRecord, tokensOf, type Used} from '../../domain/run.ts';
import {compactCount, dollars} from './reserve.ts';

/** The current activity of a live run. */
export type RunDoing = {
	/** The tool that it called last, if it has written no text since. */
	readonly tool?: string;
	/** The tool call's subject, else its last text: one line, empty if there is none. */
	readonly about: string;
	/** Set if a person has frozen it. */
	readonly isFrozen?: true;
	/** Usage so far; absent if not known. */
	readonly used?: Used;
	/** When it last wrote something, UTC milliseconds. */
	readonly spokeAt: number;
};

/** By run id. Runs that have written nothing are absent, unless they are frozen. */
export type Doings = ReadonlyMap<string, RunDoing>;

/** Milliseconds of silence after which its seconds are no longer shown. */
const quietMilliseconds = 5 * 60_000;

/** When a live run last wrote something, UTC milliseconds. Its start if nothing else is known. */
export const lastWord = (
	{agentId, startedAt}: Pick<RunRecord, 'agentId' | 'startedAt'>,
	doings: Doings,
): number => doings.get(agentId)?.spokeAt ?? Date.parse(startedAt);

/** True if the silence is so long that it is shown in minutes. */
export const isQuiet = (spokeAt: number, now: number): boolean => now - spokeAt >= quietMilliseconds;

/** `Edit src/ui/login.ts`, or its last text; `frozen, Edit src/ui/login.ts` for a frozen run. */
export const doingWords = ({
	tool,
	about,
	isFrozen,
}: Pick<RunDoing, 'tool' | 'about' | 'isFrozen'>): string => {
	const words = [tool, about].filter(Boolean).join(' ');
	return isFrozen ? ['frozen', words].filter(Boolean).join(', ') : words;
};

/** Sorted ids of the frozen runs. */
export const frozenIn = (doings: Doings): readonly string[] =>
	[...doings].flatMap(([agentId, {isFrozen}]) => (isFrozen ? [agentId] : [])).sort();

/** `$0.04 · 12.3K tokens`, as far as known; empty if there is no usage. */
export const usedWords = (used: Used | undefined): string => usedParts(used).join(' · ');

/** The same as parts, the most informative first. */
export const usedParts = (used: Used | undefined): readonly string[] => {
	const tokens = used === undefined ? 0 : tokensOf(used);
	return [
		...(used?.costUsd === undefined ? [] : [dollars(used.costUsd)]),
		...(tokens > 0 ? [`${compactCount(tokens)} tokens`] : []),
	];
};
