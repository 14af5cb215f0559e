import {accepted} from '../../domain/errors.ts';
import {findTask} from '../../domain/not-found.ts';
import {readTrace} from '../../host/traces.ts';
import {localDate, localTime} from '../../host/views/local-time.ts';
import {type Decision, decisionOf} from '../../host/views/review.ts';
import {outsideNotes, runStatusLabel, runsOf, warningsOf} from '../../host/views/run.ts';
import {taskDetails, taskStatusLabel, workerOf} from '../../host/views/task.ts';
import {readWaits} from '../../host/waits/explain-task.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';
import {outsideLines, warningLines, withWarnings} from '../warning-line.ts';

export const taskShow = command({
	path: 'task show',
	summary: 'Show one task with its description and runs.',
	flags: {trace: traceFlag, task: taskFlag},
	json: '{v, traceId, task: task snapshot, verdict: null or {passed, summary}, evidence: null or {passed, ran, exitCode, summary, output, seconds or null, agentId}, feedback, runs: [{agentId, bee, taskId, status, startedAt, finishedAt, exitCode, warnings, outside: [{what, name, change, before?, after?, kept?, commits?}…], outsideMore, pausedUntil}…]}',
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
		const waits = commandContext.json ? [] : await readWaits(context, trace, found.value);
		const facts = [
			['Task', task.taskId],
			['Title', task.title],
			['Status', taskStatusLabel(trace, found.value)],
			['Bee', workerOf(task, context.colony.defaults.defaultBee)],
			['Sector', task.sector],
			['Intent', task.intent],
			['Review', task.review],
			['Needs', task.dependsOn.join(', ')],
			['Summary', task.summary],
			...waits.map(wait => ['Waits', `${wait.for}: ${wait.what}`]),
			['Verdict', formatVerdict(decision)],
			['Verify', decision.verification ?? ''],
			['Feedback', feedback],
			['Commit', task.commit],
			['Proposal', task.proposalWorkspace],
			['Updated', task.updatedAt],
		].filter(([, value]) => value !== '');
		return accepted({
			json: details,
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
									bee,
									withWarnings(runStatusLabel(run), warnings),
									`${localDate(startedAt)} ${localTime(startedAt)}`,
									summary.split('\n')[0] ?? '',
								];
							}),
							commandContext.stdout.columns,
						)),
				...warningLines(warningsOf(runs)),
				...outsideLines(outsideNotes(runs)),
			],
		});
	},
});

const formatVerdict = ({verdict}: Decision): string => {
	if (verdict === undefined) return '';
	const {passed, summary, olderProposal} = verdict;
	const words = `${passed ? 'passed' : 'failed'}: ${summary}`;
	return olderProposal === undefined ? words : `none yet; proposal ${olderProposal} ${words}`;
};
