import {type RunRecord, tokensOf, type Used} from '../../domain/run.ts';
import type {PlanStep, TouchedFile} from '../../domain/run-progress.ts';
import {formatCompactCount, formatDollars} from './format-reserve.ts';

/** The current activity of a live run. */
export type RunActivity = {
	/** The tool that it called last, if it has written no text since. */
	readonly tool?: string;
	/** The tool call's subject, else its last text: one line, empty if there is none. */
	readonly about: string;
	/** Set if a person has frozen it. */
	readonly isFrozen?: true;
	/** Usage so far; absent if not known. */
	readonly used?: Used;
	/** The agent's newest todo list; absent if it has written none. */
	readonly plan?: readonly PlanStep[];
	/**
	 * The files that the run has changed since its start, by path. Absent until known: a live colony reads them
	 * only for the runs that it is asked to inspect (`LiveColony.inspect`).
	 */
	readonly touched?: readonly TouchedFile[];
	/** When it last wrote something, milliseconds since 1970. */
	readonly spokeAt: number;
};

/** By run id. Runs that have written nothing are absent, unless they are frozen or inspected. */
export type RunActivities = ReadonlyMap<string, RunActivity>;

/** Milliseconds of silence after which its seconds are no longer shown. */
const quietAfterMs = 5 * 60_000;

/** When a live run last wrote something, milliseconds since 1970. Its start if nothing else is known. */
export const lastActiveAt = (
	{agentId, startedAt}: Pick<RunRecord, 'agentId' | 'startedAt'>,
	activities: RunActivities,
): number => activities.get(agentId)?.spokeAt ?? Date.parse(startedAt);

/** True if the silence is so long that it is shown in minutes. */
export const isQuiet = (spokeAt: number, now: number): boolean => now - spokeAt >= quietAfterMs;

/** `Edit src/ui/login.ts`, or its last text; `frozen, Edit src/ui/login.ts` for a frozen run. */
export const formatActivity = ({
	tool,
	about,
	isFrozen,
}: Pick<RunActivity, 'tool' | 'about' | 'isFrozen'>): string => {
	const step = [tool, about].filter(Boolean).join(' ');
	return isFrozen ? ['frozen', step].filter(Boolean).join(', ') : step;
};

/** Sorted ids of the frozen runs. */
export const frozenIn = (activities: RunActivities): readonly string[] =>
	[...activities].flatMap(([agentId, {isFrozen}]) => (isFrozen ? [agentId] : [])).sort();

/** `$0.04 · 12.3K tokens`, as far as known; empty if there is no usage. */
export const formatUsage = (used: Used | undefined): string => usedParts(used).join(' · ');

/** The same as parts, the most informative first. */
export const usedParts = (used: Used | undefined): readonly string[] => {
	const tokens = used === undefined ? 0 : tokensOf(used);
	return [
		...(used?.costUsd === undefined ? [] : [formatDollars(used.costUsd)]),
		...(tokens > 0 ? [`${formatCompactCount(tokens)} tokens`] : []),
	];
};
