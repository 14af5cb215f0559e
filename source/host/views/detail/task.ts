import {statusWords} from '../../../domain/status-words.ts';
import {isPaused, type Task} from '../../../domain/task.ts';
import {type Trace, titleOf} from '../../../domain/trace.ts';
import {formatJudgement} from '../format-judgement.ts';
import {judgementOf} from '../judgement.ts';
import {localMoment, localTime} from '../local-time.ts';
import {beeName, nameWithId} from '../name.ts';
import {decisionOf, formatAttendance, reviewOutside, reviewWarnings} from '../review.ts';
import {paramFact, paramsOf, statusClause, taskStatusLabel} from '../task.ts';
import {type DetailFacts, type DetailLine, fact, headed, textLines} from './section.ts';

const reviewLabels = {
	none: '',
	required: 'a person looks at it before it is complete',
	final: 'the final review of the trace: a person decides',
} as const;

/** Lines on what the task is, its state, and what it waits for. */
export const taskLines = (
	trace: Trace,
	task: Task,
	facts: DetailFacts | undefined,
	now: number,
): readonly DetailLine[] => [
	...fact('Title', task.title, 'strong'),
	...fact('State', formatState(trace, task, now)),
	...fact('Trace', titleOf(trace)),
	...waitLines(facts),
	...fact('Bee', task.bee),
	...fact('Sector', task.sector ?? ''),
	...fact('Intent', task.intent ?? ''),
	...paramsOf(trace, task).flatMap(param => fact(...paramFact(param))),
	...fact('Review', reviewLabels[task.review]),
	...task.dependsOn.flatMap(id => fact('Needs', formatNeed(trace, id))),
	...fact('Reworks', task.reworks === undefined ? '' : formatNeed(trace, task.reworks)),
	...fact('Asked for', task.feedback ?? '', 'accent'),
	...fact('Summary', task.summary, task.status === 'failed' || task.status === 'blocked' ? 'bad' : 'plain'),
	...fact('Commit', task.commit),
	...fact('Updated', localMoment(task.updatedAt, now)),
	...fact('Id', task.taskId, 'dim'),
	...headed('What was asked', textLines(task.body)),
];

const formatState = (trace: Trace, task: Task, now: number): string => {
	const until = isPaused(task) ? ` until ${localMoment(task.pausedUntil ?? '', now)}` : '';
	const attempt = task.attempt > 1 ? `, attempt ${task.attempt}` : '';
	return `${statusWords(taskStatusLabel(trace, task))}${until}${attempt}`;
};

const formatNeed = (trace: Trace, taskId: string): string => {
	const task = trace.tasks.get(taskId);
	if (task === undefined) return `${taskId}, which is not there`;
	return `${nameWithId(trace, taskId)}, which ${statusClause(trace, task)}`;
};

const waitLines = (facts: DetailFacts | undefined): readonly DetailLine[] =>
	(facts?.waits ?? []).flatMap(({for: kind, what, next}) => [
		...fact('Waits for', kind === 'person' ? `a person ${what}` : what, 'accent'),
		...(next === undefined ? [] : [{name: '', text: `Next: ${next}`, tone: 'dim'} as const]),
	]);

/** Lines on what led to its state, and what it waits for. */
export const whyLines = (facts: DetailFacts | undefined): readonly DetailLine[] => {
	if (facts === undefined) return [];
	const causes = facts.causes.flatMap(({at, what, by, kind, sequence}) => [
		...fact(localTime(at), what),
		{name: '', text: `${by}, ${kind}, event ${sequence}`, tone: 'dim'} as const,
	]);
	const waits = waitLines(facts);
	return causes.length + waits.length === 0
		? []
		: [
				...causes,
				...headed('What it waits for', waits.length === 0 ? [{text: 'Nothing.', tone: 'dim'}] : waits),
			];
};

/**
 * Lines on its gates, proposals and verdicts with their evidence, and hive's warnings; empty if there are
 * none.
 */
export const reviewLines = (trace: Trace, task: Task): readonly DetailLine[] => {
	const {proposal, verdict, verification, evidence, attendance} = decisionOf(trace, task);
	const judgement = task.review === 'final' ? formatJudgement(judgementOf(trace, task)) : '';
	const warnings = reviewWarnings(trace, task);
	const lines = [
		...fact('Guards', judgement),
		...fact(
			'Proposal',
			proposal === undefined ? '' : `${task.proposal?.summary || 'no summary'} (event ${proposal})`,
		),
		...fact('Workspace', task.proposal?.workspace ?? ''),
		...(verdict === undefined
			? []
			: fact(
					'Verdict',
					`${verdict.passed ? '✓ passed' : '✗ failed'}: ${verdict.summary}${
						verdict.olderProposal === undefined ? '' : ` (of the older proposal ${verdict.olderProposal})`
					}`,
					verdict.passed ? 'good' : 'bad',
				)),
		...fact(
			'Verify',
			verification ?? '',
			evidence === undefined ? 'plain' : evidence.passed ? 'good' : 'bad',
		),
		...formatAttendance(attendance).flatMap(text => fact('Now', text, 'info')),
		...warnings.flatMap(({bee, text}) => fact('Warning', `${beeName(bee)}: ${text}`, 'accent')),
		...reviewOutside(trace, task).flatMap(({text}) => fact('Outside', text, 'dim')),
		...headed('Output of the verification', textLines(evidence?.output ?? '')),
	];
	return lines.length === 0 ? [] : [...fact('Gate', reviewLabels[task.review]), ...lines];
};
