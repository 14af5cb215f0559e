import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {failedDirectRun} from '../../ledger/direct-run.ts';
import {type Line, line, type Span, span} from '../parts/line.ts';
import {shortId} from '../parts/words.ts';
import {perObject} from './memo.ts';

/** What a person has to know before deciding about a task: its newest proposal, the guard's word on it, what failed last. */
export const decisionLines = (trace: Trace, task: Task): readonly Line[] => [
	...(task.proposal ? [[span(`proposal ${task.proposal.sequence} · `), verdictSpan(task)]] : []),
	...failureLines(trace, task),
	...(task.feedback ? [line(`asked for: ${task.feedback}`, 'dim')] : []),
];

/** People's own git would run what hive leaves out (reliability.md I17). The names are last: a narrow pane cuts them. */
export const plantedLines = (planted: readonly string[]): readonly Line[] =>
	planted.length === 0
		? []
		: [line(`✗ git would run planted programs; look, then "hive init": ${planted.join(', ')}`, 'bad')];

const verdictSpan = ({proposal, verdict}: Task): Span => {
	if (verdict === undefined) return span('no verdict yet', 'dim');
	const older = verdict.proposal !== undefined && verdict.proposal !== proposal?.sequence;
	const words = `${verdict.passed ? '✓ passed' : '✗ failed'}: ${verdict.summary}`;
	return older
		? span(`no verdict yet; proposal ${verdict.proposal} ${words}`, 'dim')
		: span(words, verdict.passed ? 'good' : 'bad');
};

/** A failure that later work has made up for is told quietly. */
const failureLines = (trace: Trace, task: Task): readonly Line[] => {
	const run = failuresOf(trace).get(task.taskId);
	if (run === undefined) return [];
	const counts =
		failedDirectRun(trace, task) === run || (task.status === 'failed' && run.trigger === undefined);
	const text = `last failure: ${run.bee} ${shortId(run.agentId)}, exit ${run.exitCode ?? '-'}`;
	return [line(`${text}${run.summary ? `: ${run.summary}` : ''}`, counts ? 'bad' : 'dim')];
};

const failuresOf = perObject(
	(trace: Trace): ReadonlyMap<string, RunRecord> =>
		new Map(
			[...trace.runs.values()]
				.filter(({status}) => status === 'failed')
				.map(run => [run.taskId ?? '', run] as const),
		),
);
