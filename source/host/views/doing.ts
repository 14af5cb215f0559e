import {tokensOf, type Used} from '../../domain/run.ts';
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

/** `12.3K tokens · $0.04`, as far as it is known; empty for nothing. */
export const usedWords = (used: Used | undefined): string => {
	const tokens = used === undefined ? 0 : tokensOf(used);
	return [
		...(tokens > 0 ? [`${compactCount(tokens)} tokens`] : []),
		...(used?.costUsd === undefined ? [] : [dollars(used.costUsd)]),
	].join(' · ');
};
