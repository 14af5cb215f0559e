import {escapeHidden} from '../../domain/escape-hidden.ts';
import type {PlanStep, RunProgress, TouchedFile} from '../../domain/run-progress.ts';
import type {RunActivities} from './activity.ts';
import type {runSnapshot} from './run.ts';

/** Each step of a plan on a line: `[x]` done, `[>]` under way, `[ ]` open. */
export const planLines = (plan: readonly PlanStep[]): readonly string[] =>
	plan.map(({text, status}) => `${{done: '[x]', active: '[>]', open: '[ ]'}[status]} ${text}`);

/** Each touched file on a line with its counts of lines, which are aligned. */
export const touchedLines = (touched: readonly TouchedFile[]): readonly string[] =>
	touched.map(
		({path, added, removed}) =>
			`${`+${added}`.padStart(6)} ${`-${removed}`.padStart(6)}  ${escapeHidden(path)}`,
	);

type RunWithProgress = ReturnType<typeof runSnapshot> & RunProgress;

/** Runs in the shape that scripts rely on, with their progress. It is empty for a run that has none. */
export const runsWithProgress = (
	runs: readonly ReturnType<typeof runSnapshot>[],
	progress: ReadonlyMap<string, RunProgress>,
): readonly RunWithProgress[] =>
	runs.map(run => ({...run, ...(progress.get(run.agentId) ?? {plan: [], touched: []})}));

/** What was read, with the plans that the activities of live runs show, which are newer. */
export const progressNow = (
	read: ReadonlyMap<string, RunProgress>,
	activities: RunActivities,
): ReadonlyMap<string, RunProgress> =>
	new Map(
		[...read].map(([agentId, known]) => {
			const {plan = known.plan} = activities.get(agentId) ?? {};
			return [agentId, {...known, plan}];
		}),
	);

/** The same answer without the progress of its runs, which changes while an agent works. */
export const withoutProgress = (answer: {readonly runs?: readonly object[]}): object => ({
	...answer,
	runs: answer.runs?.map(run => ({...run, plan: undefined, touched: undefined})),
});
