import {accepted} from '../../domain/errors.ts';
import {findTask} from '../../domain/not-found.ts';

import {sanitizeLine} from '../../domain/sanitize.ts';
import {openWorktree} from '../../host/review/live-change.ts';
import {progressOf, readProgress} from '../../host/review/run-progress.ts';

import {readTrace} from '../../host/traces.ts';
import {localDate, localTime} from '../../host/views/local-time.ts';
import {beeName} from '../../host/views/name.ts';
import {planLines, runsWithProgress, touchedLines} from '../../host/views/progress.ts';
import {type Decision, decisionOf} from '../../host/views/review.ts';
import {outsideNotes, runStatusLabel, runsOf, warningsOf} from '../../host/views/run.ts';
import {paramFact, taskDetails, taskStatusLabel, workerOf} from '../../host/views/task.ts';
import {readWaits} from '../../host/waits/explain-task.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';
import type {Text} from '../text.ts';
import {outsideLines, warningLines, withWarnings} from '../warning-line.ts';

export const taskShow = command({
	path: 'task show',
	summary: 'Show one task with its description and runs.',
	flags: {trace: traceFlag, task: taskFlag},
	json: '{v, traceId, task: task snapshot, params: [{name, value, from: plan or request}…], verdict: null or {passed, summary}, evidence: null or {passed, ran, exitCode, summary, output, seconds or null, agentId}, feedback, runs: [{agentId, bee, taskId, status, startedAt, finishedAt, exitCode, warnings, outside: [{what, name, change, before?, after?, kept?, commits?}…], outsideMore, pausedUntil, plan: [{text, status}…], touched: [{path, added, removed}…]}…], worktree: null or path}',
	run: async ({trace: traceId, task: taskId}, commandContext) => {
		const context = await commandContext.open();
		const read = await readTrace(context, traceId);
		if (!read.ok) return read;
		const trace = read.value;
		const found = findTask(trace, taskId);
		if (!found.ok) return found;
		const details = taskDetails(trace, found.value);
		const {task, feedback} = details;
		const decision = decisionOf(trace, found.value);
		const runs = runsOf(trace, taskId);
		const progress = await progressOf((id, run) => readProgress(context, id, run), traceId, runs);
		const {plan = [], touched = []} = progress.get(runs.at(-1)?.agentId ?? '') ?? {};
		const worktree = await openWorktree(context, trace);
		const waits = commandContext.json ? [] : await readWaits(context, trace, found.value);
		const facts = [
			['Task', task.taskId],
			['Title', task.title],
			['Status', taskStatusLabel(trace, found.value)],
			['Bee', workerOf(task, context.colony.defaults.defaultBee)],
			['Sector', task.sector],
			['Intent', task.intent],
			...details.params.map(paramFact),
			['Review', task.review],
			['Needs', task.dependsOn.join(', ')],
			['Summary', task.summary],
			...waits.map(wait => ['Waits', `${wait.for}: ${wait.what}`]),
			['Verdict', formatVerdict(decision)],
			['Verify', decision.verification ?? ''],
			['Feedback', feedback],
			['Commit', task.commit],
			['Proposal', task.proposalWorkspace],
			['Worktree', worktree.ok ? worktree.value : ''],
			['Updated', task.updatedAt],
		].filter(([, value]) => value !== '');
		return accepted({
			json: {
				...details,
				runs: runsWithProgress(details.runs, progress),
				worktree: worktree.ok ? worktree.value : null,
			},
			text: async () => [
				...facts.flatMap(([name, value]) => [
					{text: `${name}:`.padEnd(10), style: 'dim'} as const,
					`${value}\n`,
				]),
				task.body === '' ? '' : `\n${task.body}\n`,
				'\n',
				...(runs.length === 0
					? ['No runs yet.']
					: await renderTable(
							['RUN', 'BEE', 'STATUS', 'STARTED', 'SUMMARY'].map(title => ({title})),
							runs.map(run => {
								const {agentId, bee, startedAt, summary = '', warnings = []} = run;
								return [
									agentId,
									beeName(bee),
									withWarnings(runStatusLabel(run), warnings),
									`${localDate(startedAt)} ${localTime(startedAt)}`,
									summary.split('\n')[0] ?? '',
								];
							}),
							commandContext.stdout.columns,
						)),
				...warningLines(warningsOf(runs)),
				...outsideLines(outsideNotes(runs)),
				...listed('Plan of the newest run', planLines(plan)),
				...listed('Files touched by the newest run', touchedLines(touched)),
			],
		});
	},
});

/** Maximum number of lines of a list. */
const maxListed = 20;

/** A heading and lines below it; nothing if there are no lines. */
const listed = (heading: string, lines: readonly string[]): Exclude<Text, string> => {
	const more = lines.length - maxListed;
	const shown = [...lines.slice(0, maxListed), ...(more > 0 ? [`and ${more} more`] : [])];
	return lines.length === 0
		? []
		: ['\n\n', {text: `${heading}:`, style: 'dim'}, ...shown.map(line => `\n  ${sanitizeLine(line)}`)];
};

const formatVerdict = ({verdict}: Decision): string => {
	if (verdict === undefined) return '';
	const {passed, summary, olderProposal} = verdict;
	const words = `${passed ? 'passed' : 'failed'}: ${summary}`;
	return olderProposal === undefined ? words : `none yet; proposal ${olderProposal} ${words}`;
};
