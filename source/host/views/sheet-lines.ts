import {formatCount} from '../../domain/format-count.ts';
import {formatCommentPosition} from '../../domain/review-comment.ts';
import {personOf} from './answer.ts';
import {somePaths} from './clashes.ts';
import {failingLines} from './failing-lines.ts';
import {formatDuration} from './format-duration.ts';
import {formatCompactCount, formatDollars} from './format-reserve.ts';
import type {Sheet, SheetChanges} from './sheet.ts';
import type {SheetCheck, SheetGuard} from './sheet-checks.ts';
import type {SheetMark, SheetTask} from './sheet-tasks.ts';

/** The meaning of a line. Only `good` may be drawn green or with a tick. */
export type SheetTone = 'bad' | 'warn' | 'good' | 'plain' | 'dim';

/** One fact, as text of one line or, if it quotes a person or an agent, of several. */
export type SheetLine = {
	readonly tone: SheetTone;
	readonly text: string;
	/** The subject of the line, for example the title of a task; empty if the block has only one. */
	readonly about?: string;
	/** Lines below it that belong to it: what failed, according to the output of a check. */
	readonly below?: readonly string[];
	/** The whole text, if `text` or `below` shows only a part. Shown when unfolded. */
	readonly more?: string;
};

type SheetBlockId =
	| 'request'
	| 'round'
	| 'landing'
	| 'tasks'
	| 'checks'
	| 'guards'
	| 'outside'
	| 'also'
	| 'cost'
	| 'lands'
	| 'changes';

/** A named part of a sheet. Its bad lines are first, then those to be careful about. */
export type SheetBlock = {
	readonly id: SheetBlockId;
	readonly name: string;
	readonly lines: readonly SheetLine[];
};

/**
 * Returns the sheet as blocks of lines, which every client draws in this order.
 *
 * @param now milliseconds since 1970; undefined leaves ages out, for a text that is not drawn again
 */
export const sheetBlocks = (sheet: Sheet, now: number | undefined): readonly SheetBlock[] =>
	[
		block('request', 'You asked', requestLines(sheet)),
		block('round', `Round ${sheet.round}`, roundLines(sheet)),
		block('landing', 'Landing', queueLines(sheet, now)),
		block('tasks', 'Tasks', sheet.tasks.map(taskLine)),
		block('checks', 'Checks', checkLines(sheet, now)),
		block('guards', 'Guards', guardLines(sheet)),
		block('outside', 'Outside', outsideLines(sheet)),
		block('also', 'Also at work', sheet.alsoAtWork.map(sharingLine)),
		block('cost', 'Cost', [{tone: 'plain', text: costText(sheet)}]),
		block('lands', 'Lands as', landingLines(sheet)),
		block('changes', 'Changes', changeLines(sheet)),
	].filter(({lines}) => lines.length > 0);

/** Returns the lines that call for care, those of tone `bad` first, each with the name of its block. */
export const alarmLines = (blocks: readonly SheetBlock[]): readonly (SheetLine & {readonly name: string})[] =>
	blocks
		.flatMap(({name, lines}) => lines.map(line => ({...line, name})))
		.filter(line => rank(line) < 2)
		.sort((one, other) => rank(one) - rank(other));

/** Returns the size of the work in one line: tasks, checks, files, where it lands, and the cost. */
export const formatSheetCounts = (sheet: Sheet): string => {
	const {tasks, checks, changes, lands} = sheet;
	return [
		formatCount(tasks.length, 'task'),
		checks.length === 0 ? 'no checks' : formatCount(checks.length, 'check'),
		...(changes === null || changes.files.length === 0 ? [] : [filesText(changes)]),
		...(lands === null ? [] : [`into ${lands.branch || detached}`]),
		costText(sheet),
	].join(', ');
};

const block = (id: SheetBlockId, name: string, lines: readonly SheetLine[]): SheetBlock => ({
	id,
	name,
	lines: lines.toSorted((one, other) => rank(one) - rank(other)),
});

const rank = ({tone}: SheetLine): number => (tone === 'bad' ? 0 : tone === 'warn' ? 1 : 2);

/** Number of lines of a quotation that are shown before it is unfolded. */
const shownLines = {request: 3, said: 2, output: 3};

const requestLines = ({request: {title, body, truncated}}: Sheet): readonly SheetLine[] => {
	const isRepeated = body.startsWith(title.endsWith('…') ? title.slice(0, -1) : title);
	const text = [isRepeated ? '' : title, body].filter(Boolean).join('\n').trim();
	if (text === '') return [{tone: 'dim', text: 'Nothing is recorded of the request.'}];
	const {shown, rest} = head(text, shownLines.request);
	return [{tone: 'plain', text: shown, ...((rest || truncated) && {more: text})}];
};

const head = (text: string, count: number): {readonly shown: string; readonly rest: boolean} => {
	const lines = text.split('\n').filter(line => line.trim() !== '');
	return {shown: lines.slice(0, count).join('\n'), rest: lines.length > count};
};

const roundLines = ({round, rework, missing}: Sheet): readonly SheetLine[] => {
	if (rework === null) return [];
	const {asked, changed, comments} = rework;
	const untouched = comments.filter(({state}) => state === 'untouched');
	const [first = ''] = asked.split('\n').filter(line => line.trim() !== '');
	return [
		...(changed ? [] : [{tone: 'bad', text: `nothing changed since round ${round - 1}`} as const]),
		...(first === '' ? [] : [{tone: 'plain', text: `you asked: "${first}"`, more: asked} as const]),
		...(comments.length === 0
			? []
			: [
					{
						tone: untouched.length === 0 ? 'plain' : 'warn',
						text: `you wrote ${formatCount(comments.length, 'comment')}: ${comments.length - untouched.length} addressed, ${untouched.length} untouched`,
					} as const,
				]),
		...untouched.map(
			({path, line, text}) =>
				({
					tone: 'warn',
					text: `untouched: ${formatCommentPosition({path, line, side: 'new'})}: "${text.split('\n', 1)[0]}"`,
					more: text,
				}) as const,
		),
		...(missing.rework === undefined ? [] : [{tone: 'dim', text: missing.rework} as const]),
	];
};

const badMarks: readonly SheetMark['kind'][] = ['failed'];
const quietMarks: readonly SheetMark['kind'][] = ['asked', 'retried'];

/** The agent's words have no mark: hive does not know whether they are right. */
const taskLine = ({title, said, marks}: SheetTask): SheetLine => {
	const {shown, rest} = head(said, shownLines.said);
	const quote = shown === '' ? [] : [`"${shown}"`];
	const text = [...marks.map(mark => mark.text), ...quote].join(' · ');
	return {
		tone: toneOf(marks),
		about: title,
		text: text === '' ? 'nothing said' : text,
		...(rest && {more: said}),
	};
};

const toneOf = (marks: readonly SheetMark[]): SheetTone => {
	if (marks.some(({kind}) => badMarks.includes(kind))) return 'bad';
	return marks.some(({kind}) => !quietMarks.includes(kind)) ? 'warn' : 'plain';
};

/** Whether it is in the landing queue, why it did not land, and merges that skipped their checks. */
const queueLines = ({landing, left, merged}: Sheet, now: number | undefined): readonly SheetLine[] => [
	...(left === null
		? []
		: [{tone: 'bad', text: `Did not land: ${left.reason}`, ...printed(left.output)} as const]),
	...merged.flatMap(({by, withoutChecks}) =>
		withoutChecks === null ? [] : [{tone: 'warn', text: overrideText(by, withoutChecks.reason)} as const],
	),
	...(landing === null ? [] : [{tone: 'plain', text: queuedText(landing, now)} as const]),
];

const overrideText = (by: string, reason: string): string =>
	`Merged without checks by ${personOf(by)}${reason === '' ? '.' : `: ${reason}`}`;

const queuedText = (
	{state, position, since, base, check}: NonNullable<Sheet['landing']>,
	now: number | undefined,
): string => {
	const place = position === null ? 'in the landing queue' : `number ${position} in the landing queue`;
	const what =
		state === 'landing'
			? 'it is being merged'
			: check === null
				? 'it waits for its checks'
				: `its checks run${ageText(check.since, now, ' for ', '')}`;
	return `${place} of ${base || detached}: ${what}${ageText(since, now, '; approved ', ' ago')}`;
};

const ageText = (at: string, now: number | undefined, before: string, after: string): string =>
	at === '' || now === undefined
		? ''
		: `${before}${formatDuration(Math.max(0, now - Date.parse(at)))}${after}`;

const checkLines = (sheet: Sheet, now: number | undefined): readonly SheetLine[] => {
	const {checks, tasks} = sheet;
	const merge = mergeLine(sheet, now);
	if (checks.length === 0) {
		if (merge !== undefined) return [merge];
		return tasks.length === 0 ? [] : [{tone: 'warn', text: 'No checks ran.'}];
	}
	return [
		...checks.map(check => ({
			...(checks.length > 1 && {about: check.title}),
			...checkLine(check, sheet, now),
		})),
		...(merge === undefined ? [] : [merge]),
	];
};

/** What is known of the result of the merge, unless the lines about the tasks say it. */
const mergeLine = (sheet: Sheet, now: number | undefined): SheetLine | undefined => {
	const {mergeCheck, checks} = sheet;
	if (mergeCheck === null) return undefined;
	const {state, summary, at} = mergeCheck;
	const age = ageText(at, now, ', ', ' ago');
	const ofTree = checks.filter(({lands}) => lands === true);
	switch (state) {
		case 'not_required':
			return checks.length > 0 ? undefined : {tone: 'warn', text: 'No checks ran on the result.'};
		case 'not_checked':
			return checks.some(check => check.state === 'passed' && check.lands !== true)
				? undefined
				: {tone: 'warn', text: notCheckedYet(sheet, 'The', '.')};
		case 'passed':
			return ofTree.some(check => check.state === 'passed' && check.command === summary)
				? undefined
				: {tone: 'good', text: `${summary} passed${age}, on the tree that lands`};
		case 'failed':
			return ofTree.some(check => check.state === 'failed' && check.command === summary)
				? undefined
				: {tone: 'bad', text: `${summary}${age}, on the tree that lands`};
	}
};

const notCheckedYet = ({lands}: Sheet, the = 'the', end = ''): string =>
	`${the} merge with ${lands?.branch || 'the base'} is not checked yet${end}`;

const checkLine = (check: SheetCheck, sheet: Sheet, now: number | undefined): SheetLine => {
	const {command, state, at, seconds, lands, output} = check;
	const took = seconds === null ? '' : ` (${formatDuration(seconds * 1000)})`;
	const age = ageText(at, now, ', ', ' ago');
	switch (state) {
		case 'running':
			return {tone: 'dim', text: 'the checks are running'};
		case 'not_run':
			return {tone: 'warn', text: 'not checked yet'};
		case 'could_not_run':
			return {tone: 'warn', text: `could not run: ${command}`, ...printed(output)};
		case 'failed':
			return {tone: 'bad', text: `${command}${age}${where(lands)}`, ...printed(output)};
		case 'passed': {
			const passed = `${command} passed${took}${age}`;
			if (lands === true) return {tone: 'good', text: `${passed}${where(lands)}`};
			const merge = mergeWords(check, sheet);
			return merge === ''
				? {tone: 'plain', text: `${passed} on the proposal`}
				: {tone: 'warn', text: `${passed} on the proposal; ${merge}`};
		}
	}
};

/** What a result for the proposal leaves open about the merge; empty if nothing, or if that is not known. */
const mergeWords = ({lands}: SheetCheck, sheet: Sheet): string => {
	switch (sheet.mergeCheck?.state) {
		case 'not_required':
			return 'no checks ran on the result';
		case 'not_checked':
			return notCheckedYet(sheet);
		case 'passed':
		case 'failed':
			return '';
		default:
			return lands === false ? 'the merge is not checked yet' : '';
	}
};

const printed = (output: string): Pick<SheetLine, 'below' | 'more'> =>
	output.trim() === '' ? {} : {below: failingLines(output, shownLines.output), more: output.trim()};

const where = (lands: boolean | null): string => {
	if (lands === null) return ' on the proposal';
	return lands ? ', on the tree that lands' : ', on the proposal';
};

const guardLines = ({guards, tasks}: Sheet): readonly SheetLine[] => {
	if (guards.length === 0)
		return tasks.length === 0 ? [] : [{tone: 'dim', text: 'No guard has judged the work.'}];
	return guards.flatMap(guard => [
		{...(guards.length > 1 && {about: guard.title}), ...guardLine(guard)},
		...guard.now.map(text => ({tone: 'dim', text}) as const),
	]);
};

const guardLine = ({bee, verdict, said, older, now}: SheetGuard): SheetLine => {
	const {shown, rest} = head(said, shownLines.said);
	const words = `${bee === '' ? 'guard' : bee}: ${shown === '' ? verdict : `"${shown}"`}`;
	const full = rest ? {more: said} : {};
	if (verdict === 'none')
		return now.length > 0 ? {tone: 'dim', text: 'no verdict yet'} : {tone: 'warn', text: 'no verdict'};
	if (older)
		return {tone: 'warn', text: `${verdict} older work; the newest is not judged: ${words}`, ...full};
	return {tone: verdict === 'passed' ? 'good' : 'bad', text: words, ...full};
};

const outsideLines = ({outside, tasks}: Sheet): readonly SheetLine[] => {
	if (outside.length === 0) return tasks.length === 0 ? [] : [{tone: 'dim', text: 'nothing'}];
	return outside.map(({bee, text, warning}) => ({tone: warning ? 'warn' : 'dim', about: bee, text}));
};

const sharingLine = ({title, traceId, paths}: Sheet['alsoAtWork'][number]): SheetLine => ({
	tone: 'warn',
	text: `${title || traceId} changes the same lines of ${somePaths(paths)}`,
});

const costText = ({cost: {runs, tokens, costUsd, seconds}}: Sheet): string =>
	[
		formatCount(runs, 'run'),
		...(tokens === 0 ? [] : [`${formatCompactCount(tokens)} tokens`]),
		...(costUsd === 0 ? [] : [formatDollars(costUsd)]),
		formatDuration(seconds * 1000),
	].join(', ');

const detached = 'a detached HEAD';

/** Keeps the row of a part that is still being read, so that nothing moves when it is known. */
const reading: readonly SheetLine[] = [{tone: 'dim', text: 'reading…'}];

const landingLines = ({gate, lands, missing}: Sheet): readonly SheetLine[] => {
	if (lands === null) {
		if (missing.lands !== undefined) return [{tone: 'warn', text: missing.lands}];
		return gate === 'final' && missing.changes === undefined ? reading : [];
	}
	const {branch, message} = lands;
	const [subject = '', ...body] = message.split('\n');
	return [
		{
			tone: 'plain',
			text: `${branch || detached}, merge commit "${subject}"`,
			...(body.join('').trim() !== '' && {more: message}),
		},
	];
};

const changeLines = ({changes, missing}: Sheet): readonly SheetLine[] => {
	if (changes === null)
		return missing.changes === undefined ? reading : [{tone: 'warn', text: missing.changes}];
	const {files, problems, warnings} = changes;
	return [
		...problems.map(text => ({tone: 'bad', text}) as const),
		...warnings.map(text => ({tone: 'warn', text}) as const),
		{
			tone: files.length === 0 ? 'warn' : 'plain',
			text: files.length === 0 ? 'No file changes.' : filesText(changes),
		},
	];
};

const filesText = ({files, added, removed}: Pick<SheetChanges, 'files' | 'added' | 'removed'>): string =>
	`${formatCount(files.length, 'file')} +${added} -${removed}`;
