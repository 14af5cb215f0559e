import {formatDuration} from './format-duration.ts';
import {formatCompactCount, formatDollars} from './format-reserve.ts';
import {localMoment} from './local-time.ts';

/** Where a line comes from. Empty or null is what does not apply, or is named in `unknown`. */
export type LineOrigin = {
	/** Empty for a line that is not committed. */
	readonly commit: string;
	readonly author: string;
	/** When it was committed, RFC 3339. */
	readonly at: string;
	readonly subject: string;
	readonly traceId: string;
	/** The trace's title. */
	readonly title: string;
	readonly taskId: string;
	readonly taskTitle: string;
	/** The run that wrote the line. */
	readonly agentId: string;
	readonly bee: string;
	/** The agent's own summary. */
	readonly said: string;
	/** The newest verdict on the task. */
	readonly guard: {readonly bee: string; readonly passed: boolean; readonly said: string} | null;
	/** Results of `verify`: for the task's proposal, and for the files as they were merged. */
	readonly checks: readonly LineCheck[];
	/** Who approved the merge; empty if the log does not say. */
	readonly approvedBy: string;
	readonly costUsd: number | null;
	readonly tokens: number | null;
	/** How long the run took. */
	readonly seconds: number | null;
	/** What is not known, in sentences. */
	readonly unknown: readonly string[];
};

export type LineCheck = {
	readonly of: 'proposal' | 'merge';
	readonly state: 'passed' | 'failed' | 'could_not_run' | 'skipped';
	/** The commands, or the person's reason for merging without them. */
	readonly summary: string;
};

/** A line of a file, and where it comes from. */
export type ExplainedLine = {readonly line: number; readonly text: string} & LineOrigin;

/** A fact about the origin of lines, as every face shows it. */
export type OriginFact = {
	readonly name: string;
	readonly text: string;
	/** Id of what the text names, for a face whose other commands take it. */
	readonly id?: string;
	readonly tone: 'plain' | 'good' | 'bad' | 'attention' | 'dim';
};

type LineGroup = {
	readonly title: string;
	/** Those of an earlier group with the same origin are not repeated. */
	readonly facts: readonly OriginFact[];
	readonly lines: readonly Pick<ExplainedLine, 'line' | 'text'>[];
};

/** Joins neighbouring lines of the same origin. The facts of an origin are in its first group. */
export const groupLines = (lines: readonly ExplainedLine[]): readonly LineGroup[] => {
	const groups: (LineGroup & {origin: string; lines: ExplainedLine[]})[] = [];
	const firstLines = new Map<string, number>();
	for (const line of lines) {
		const {line: number, text: _, ...facts} = line;
		const origin = JSON.stringify(facts);
		const last = groups.at(-1);
		if (last?.origin === origin) {
			last.lines.push(line);
			continue;
		}
		const first = firstLines.get(origin);
		if (first === undefined) firstLines.set(origin, number);
		groups.push({
			origin,
			title: originTitle(line),
			facts: first === undefined ? formatOrigin(line) : [{name: '', text: `As line ${first}.`, tone: 'dim'}],
			lines: [line],
		});
	}
	return groups;
};

/** The trace's title, else the commit's subject. */
const originTitle = ({title, traceId, subject}: LineOrigin): string =>
	title || traceId || subject || 'Not committed';

/** The facts of an origin in the order in which a person asks for them. */
export const formatOrigin = (origin: LineOrigin): readonly OriginFact[] => [
	...(origin.traceId === '' ? [] : traceFacts(origin)),
	...commitFacts(origin),
	...origin.unknown.map(text => ({name: 'Not known', text, tone: 'attention'}) as const),
];

const notRecorded = 'not recorded';

const fact = (name: string, text: string, id = ''): OriginFact => ({
	name,
	text: text || notRecorded,
	...(id === '' ? {} : {id}),
	tone: text === '' ? 'dim' : 'plain',
});

const traceFacts = (origin: LineOrigin): readonly OriginFact[] => {
	const {traceId, taskId, taskTitle, agentId, said, commit, approvedBy} = origin;
	const trace = fact('Trace', originTitle(origin), traceId);
	const approval = fact('Approved by', commit === '' ? 'not approved yet' : approvedBy);
	if (agentId === '') return [trace, fact('Run', ''), ...checkFacts(origin), approval];
	return [
		trace,
		...(taskId === '' ? [] : [fact('Task', taskTitle || taskId, taskId)]),
		fact('Run', runText(origin), agentId),
		fact('It said', said),
		guardFact(origin),
		...checkFacts(origin),
		approval,
	];
};

const commitFacts = ({commit, author, at, subject, traceId}: LineOrigin): readonly OriginFact[] => {
	if (commit === '') return traceId === '' ? [] : [fact('Commit', 'not merged yet')];
	const by = traceId === '' ? `${author}: ${subject}, ` : '';
	const ofTrace = traceId === '' ? [fact('Trace', '')] : [];
	return [fact('Commit', `${by}${commit.slice(0, 12)}, ${localMoment(at)}`), ...ofTrace];
};

const runText = ({bee, seconds, costUsd, tokens}: LineOrigin): string =>
	[
		bee,
		seconds === null ? `time ${notRecorded}` : formatDuration(seconds * 1000),
		...(costUsd === null ? [`cost ${notRecorded}`] : [formatDollars(costUsd)]),
		...(tokens === null ? [] : [`${formatCompactCount(tokens)} tokens`]),
	].join(', ');

const guardFact = ({guard}: LineOrigin): OriginFact => {
	if (guard === null) return fact('Guard', '');
	const {bee, passed, said} = guard;
	const words = `${passed ? 'passed' : 'failed'}${bee === '' ? '' : ` by ${bee}`}`;
	return {name: 'Guard', text: said === '' ? words : `${words}: ${said}`, tone: passed ? 'good' : 'bad'};
};

const states: Readonly<
	Record<LineCheck['state'], {readonly words: string; readonly tone: OriginFact['tone']}>
> = {
	passed: {words: 'passed', tone: 'good'},
	failed: {words: 'failed', tone: 'bad'},
	could_not_run: {words: 'could not run', tone: 'attention'},
	skipped: {words: 'skipped', tone: 'attention'},
};

const checkFacts = ({checks}: LineOrigin): readonly OriginFact[] =>
	checks.length === 0 ? [fact('Checks', '')] : checks.map(checkFact);

const checkFact = ({of, state, summary}: LineCheck): OriginFact => {
	const {words, tone} = states[state];
	const about = of === 'proposal' ? 'of the task' : 'of the merge';
	return {name: 'Checks', text: `${words}, ${about}${summary === '' ? '' : `: ${summary}`}`, tone};
};
