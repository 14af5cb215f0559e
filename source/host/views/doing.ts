import {type RunRecord, tokensOf, type Used} from '../../domain/run.ts';
import {compactCount, dollars} from './reserve.ts';

/** What a live run is at. */
export type RunDoing = {
	/** The tool that it called last, while it has said nothing since. */
	readonly tool?: string;
	/** What that is about, else its last words: one line, empty where there are none. */
	readonly about: string;
	/** A person has frozen it. */
	readonly isFrozen?: true;
	/** So far; absent where that is not known. */
	readonly used?: Used;
	/** When it wrote something last, UTC milliseconds. */
	readonly spokeAt: number;
};

/** By the ids of their runs; those that wrote nothing yet are not in it, unless they are frozen. */
export type Doings = ReadonlyMap<string, RunDoing>;

/** Milliseconds without a word after which nobody counts its seconds. */
const quietMilliseconds = 5 * 60_000;

/** When a live run said something last, UTC milliseconds: at its start, as far as nothing else is known. */
export const lastWord = (
	{agentId, startedAt}: Pick<RunRecord, 'agentId' | 'startedAt'>,
	doings: Doings,
): number => doings.get(agentId)?.spokeAt ?? Date.parse(startedAt);

/** Such a word is so long ago that what follows is told by the minute. */
export const isQuiet = (spokeAt: number, now: number): boolean => now - spokeAt >= quietMilliseconds;

/** `Edit src/ui/login.ts`, or what it said; `frozen, Edit src/ui/login.ts` of a run that stands still. */
export const doingWords = ({
	tool,
	about,
	isFrozen,
}: Pick<RunDoing, 'tool' | 'about' | 'isFrozen'>): string => {
	const words = [tool, about].filter(Boolean).join(' ');
	return isFrozen ? ['frozen', words].filter(Boolean).join(', ') : words;
};

/** Ids of the frozen ones, in order. */
export const frozenIn = (doings: Doings): readonly string[] =>
	[...doings].flatMap(([agentId, {isFrozen}]) => (isFrozen ? [agentId] : [])).sort();

/** `$0.04 · 12.3K tokens`, as far as it is known; empty for nothing. */
export const usedWords = (used: Used | undefined): string => usedParts(used).join(' · ');

/** The same, what says most first. */
export const usedParts = (used: Used | undefined): readonly string[] => {
	const tokens = used === undefined ? 0 : tokensOf(used);
	return [
		...(used?.costUsd === undefined ? [] : [dollars(used.costUsd)]),
		...(tokens > 0 ? [`${compactCount(tokens)} tokens`] : []),
	];
};
