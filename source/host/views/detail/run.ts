import {escapeHidden} from '../../../domain/escape-hidden.ts';
import {formatEvidenceForPrompt} from '../../../domain/evidence.ts';
import {formatAnswer, formatQuestion} from '../../../domain/question.ts';
import {type RunRecord, tokensOf, type Used} from '../../../domain/run.ts';
import type {Task} from '../../../domain/task.ts';
import {visibleLine} from '../../../domain/visible-line.ts';
import {formatActivity, formatUsage, type RunActivity} from '../activity.ts';
import {formatDuration} from '../format-duration.ts';
import {localMoment} from '../local-time.ts';
import {beeName} from '../name.ts';
import {quietNotes, runStatusLabel} from '../run.ts';
import {type DetailLine, type DetailTone, fact, headed, type RunFacts, textLines} from './section.ts';

/** Tones for the results of `runWords`. */
const tones: Readonly<Record<string, DetailTone>> = {
	running: 'info',
	completed: 'good',
	failed: 'bad',
	paused: 'accent',
	asked: 'accent',
	'no change': 'accent',
	cancelled: 'dim',
};

/** `builder failed after 58 s · exit 1` */
const runLine = (run: RunRecord, now: number): DetailLine => {
	const {bee, startedAt, finishedAt, exitCode} = run;
	const status = runStatusLabel(run);
	const took = formatDuration(
		(finishedAt === undefined ? now : Date.parse(finishedAt)) - Date.parse(startedAt),
	);
	const exit = exitCode === undefined || exitCode === 0 ? '' : ` · exit ${exitCode}`;
	return {
		text: `${beeName(bee)} ${status} ${run.status === 'running' ? 'for' : 'after'} ${took}${exit}`,
		tone: tones[status] ?? 'plain',
	};
};

type RunKnown = {
	readonly used: Used | undefined;
	readonly activity: RunActivity | undefined;
	readonly now: number;
};

/** Everything that the log has of a run, and its usage. */
export const runLines = (run: RunRecord, {used, activity: doing, now}: RunKnown): readonly DetailLine[] => [
	runLine(run, now),
	...fact('Run', run.agentId),
	...fact('Started', localMoment(run.startedAt, now)),
	...fact('Answers', run.answers ?? ''),
	...fact('At', doing === undefined ? '' : formatActivity(doing), 'info'),
	...fact('Last word', doing === undefined ? '' : `${formatDuration(now - doing.spokeAt)} ago`),
	...fact('Used', usageLine(used ?? doing?.used)),
	...fact('Goes on', run.pausedUntil === undefined ? '' : localMoment(run.pausedUntil, now), 'accent'),
	...(run.questions ?? []).flatMap(question => [
		...fact('Asks', formatQuestion(question), question.answer === undefined ? 'accent' : 'plain'),
		...fact('Answer', question.answer === undefined ? '' : formatAnswer(question.answer)),
	]),
	...(run.warnings ?? []).flatMap(text => fact('Warning', text, 'accent')),
	...quietNotes([run]).flatMap(({text}) => fact('Outside', text, 'dim')),
	...fact('Summary', run.summary ?? '', run.status === 'failed' ? 'bad' : 'plain'),
];

const usageLine = (used: Used | undefined): string => {
	if (used === undefined) return '';
	const {inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0} = used;
	const parts =
		tokensOf(used) === 0
			? ''
			: ` (in ${inputTokens}, out ${outputTokens}, cache read ${cacheReadTokens}, cache written ${cacheWriteTokens})`;
	return `${formatUsage(used)}${parts}${used.isEstimated ? ', estimated' : ''}`;
};

/** The complete reason of its failure: what the log has, then what its directory has. */
export const failureLines = (
	run: RunRecord,
	facts: RunFacts | undefined,
	task: Task | undefined,
	now: number,
): readonly DetailLine[] => {
	const {summary = ''} = run;
	const {error = '', errors = '', hasEarlierErrors = false, message: status = '', elsewhere} = facts ?? {};
	const evidence = run.verifies === undefined ? '' : formatEvidenceForPrompt(task?.evidence);
	return [
		runLine(run, now),
		{text: ''},
		...textLines(summary, 'bad'),
		...headed('What ended it', summary.includes(error) ? [] : textLines(error)),
		...headed('Result of the verification', textLines(evidence)),
		...headed(
			hasEarlierErrors ? 'The end of its standard error' : 'Its standard error',
			printedLines(errors),
		),
		...headed('Its last words', summary.includes(status.trim()) ? [] : textLines(status)),
		...(elsewhere === undefined
			? []
			: [{text: `Its files are in the checkout ${elsewhere}.`, tone: 'dim'} as const]),
	];
};

/** Text as a terminal shows it: of an overwritten line, only what was written last. */
const printedLines = (text: string): readonly DetailLine[] =>
	textLines(text).map(line => ({...line, text: visibleLine(line.text)}));

/** The files that it changed. */
export const fileLines = ({files}: Pick<RunFacts, 'files'>): readonly DetailLine[] =>
	files.map(({path, added, removed}) => ({
		text: `${`+${added}`.padStart(6)} ${`-${removed}`.padStart(6)}  ${escapeHidden(path)}`,
	}));
