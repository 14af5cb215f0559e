import {formatDuration} from '../views/format-duration.ts';
import {formatCompactCount, formatDollars} from '../views/format-reserve.ts';
import {localMoment} from '../views/local-time.ts';
import type {ExplainedLine} from './blame.ts';
import type {LineCheck, LineOrigin} from './line-origin.ts';

/** A fact about the origin of lines, as every face shows it. */
type OriginFact = {
	readonly name: string;
	readonly text: string;
	readonly tone: 'plain' | 'good' | 'bad' | 'attention' | 'dim';
};

type LineGroup = {
	/** The trace's title, else the commit's subject. */
	readonly title: string;
	/** Empty if an earlier group had the same ones. */
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
			title: titleOf(line),
			facts: first === undefined ? formatOrigin(line) : [{name: '', text: `As line ${first}.`, tone: 'dim'}],
			lines: [line],
		});
	}
	return groups;
};

const titleOf = ({title, traceId, subject}: LineOrigin): string =>
	title || traceId || subject || 'Not committed';

/** The facts of an origin in the order in which a person asks for them. */
const formatOrigin = (origin: LineOrigin): readonly OriginFact[] => {
	const {commit, author, at, subject, traceId, taskId, taskTitle, said, approvedBy, unknown} = origin;
	const when = at === '' ? '' : `, ${localMoment(at)}`;
	const plain = (name: string, text: string): readonly OriginFact[] =>
		text === '' ? [] : [{name, text, tone: 'plain'}];
	return [
		...plain('Trace', traceId),
		...plain('Task', taskTitle === '' || taskTitle === taskId ? taskId : `${taskTitle} (${taskId})`),
		...plain('Run', runText(origin)),
		...plain('It said', said),
		...guardFacts(origin),
		...origin.checks.map(checkFact),
		...plain('Approved by', approvedBy),
		...plain(
			'Commit',
			commit === '' ? '' : `${commit.slice(0, 12)}${traceId === '' ? `, ${author}: ${subject}` : ''}${when}`,
		),
		...unknown.map(text => ({name: 'Not known', text, tone: 'attention'}) as const),
	];
};

const runText = ({agentId, bee, seconds, costUsd, tokens}: LineOrigin): string =>
	agentId === ''
		? ''
		: [
				`${bee}, ${agentId}`,
				...(seconds === null ? [] : [formatDuration(seconds * 1000)]),
				...(costUsd === null ? [] : [formatDollars(costUsd)]),
				...(tokens === null ? [] : [`${formatCompactCount(tokens)} tokens`]),
			].join(', ');

const guardFacts = ({guard}: LineOrigin): readonly OriginFact[] => {
	if (guard === null) return [];
	const {bee, passed, said} = guard;
	const words = `${passed ? 'passed' : 'failed'}${bee === '' ? '' : ` by ${bee}`}`;
	return [{name: 'Guard', text: said === '' ? words : `${words}: ${said}`, tone: passed ? 'good' : 'bad'}];
};

const states: Readonly<
	Record<LineCheck['state'], {readonly words: string; readonly tone: OriginFact['tone']}>
> = {
	passed: {words: 'passed', tone: 'good'},
	failed: {words: 'failed', tone: 'bad'},
	could_not_run: {words: 'could not run', tone: 'attention'},
	skipped: {words: 'skipped', tone: 'attention'},
};

const checkFact = ({of, state, summary}: LineCheck): OriginFact => {
	const {words, tone} = states[state];
	const about = of === 'proposal' ? 'of the task' : 'of the merge';
	return {name: 'Checks', text: `${words}, ${about}${summary === '' ? '' : `: ${summary}`}`, tone};
};
