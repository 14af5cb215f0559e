import {formatCount} from '../../domain/format-count.ts';
import {strategyEffects} from '../../domain/landing.ts';
import {formatCommentPosition} from '../../domain/review-comment.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {uncountedLimits} from '../../domain/uncounted-usage.ts';
import {personOf} from './answer.ts';
import {somePaths} from './clashes.ts';
import {formatDuration} from './format-duration.ts';
import {formatCompactCount, formatDollars} from './format-reserve.ts';
import {beeName} from './name.ts';
import type {RequestCommentView, RequestView} from './pull-request.ts';
import type {Sheet, SheetChanges} from './sheet.ts';
import {checkLines, guardLines} from './sheet-check-lines.ts';
import {ageText, head, printed, type SheetLine, type SheetTone, shownLines} from './sheet-line.ts';
import type {SheetMark, SheetTask} from './sheet-tasks.ts';

export type {SheetLine, SheetTone} from './sheet-line.ts';

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
		block('request', 'You asked', [...requestLines(sheet), ...issueLines(sheet)]),
		block('round', `Round ${sheet.round}`, roundLines(sheet)),
		block('landing', 'Landing', queueLines(sheet, now)),
		block('tasks', 'Tasks', sheet.tasks.map(taskLine)),
		block('checks', 'Checks', checkLines(sheet, now)),
		block('guards', 'Guards', guardLines(sheet)),
		block('outside', 'Outside', outsideLines(sheet)),
		block('also', 'Also at work', sheet.alsoAtWork.map(sharingLine)),
		block('cost', 'Cost', [costLine(sheet)]),
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

const requestLines = ({request: {title, body, truncated}}: Sheet): readonly SheetLine[] => {
	const isRepeated = body.startsWith(title.endsWith('…') ? title.slice(0, -1) : title);
	const text = [isRepeated ? '' : title, body].filter(Boolean).join('\n').trim();
	if (text === '') return [{tone: 'dim', text: 'Nothing is recorded of the request.'}];
	const {shown, rest} = head(text, shownLines.request);
	return [{tone: 'plain', text: shown, ...((rest || truncated) && {more: text})}];
};

const issueLines = ({issue}: Sheet): readonly SheetLine[] =>
	issue === null ? [] : [{tone: 'plain', text: `From issue #${issue.number}: ${issue.url}`}];

const roundLines = ({round, rework, missing}: Sheet): readonly SheetLine[] => {
	if (rework === null) return [];
	const {asked, changed, comments} = rework;
	const untouched = comments.filter(({state}) => state === 'untouched');
	const wish = firstLine(asked);
	return [
		...(changed ? [] : [{tone: 'bad', text: `nothing changed since round ${round - 1}`} as const]),
		...(wish.text === '' ? [] : [{...wish, tone: 'plain', text: `you asked: "${wish.text}"`} as const]),
		...(comments.length === 0
			? []
			: [
					{
						tone: untouched.length === 0 ? 'plain' : 'warn',
						text: `you wrote ${formatCount(comments.length, 'comment')}: ${comments.length - untouched.length} addressed, ${untouched.length} untouched`,
					} as const,
				]),
		...untouched.map(({path, line, text}): SheetLine => {
			const comment = firstLine(text);
			const position = formatCommentPosition({path, line, side: 'new'});
			return {...comment, tone: 'warn', text: `untouched: ${position}: "${comment.text}"`};
		}),
		...(missing.rework === undefined ? [] : [{tone: 'dim', text: missing.rework} as const]),
	];
};

const firstLine = (text: string): Pick<SheetLine, 'text' | 'more'> => {
	const {shown, rest} = head(text, 1);
	return {text: shown, ...(rest && {more: text})};
};

const badMarks: readonly SheetMark['kind'][] = ['failed'];
const quietMarks: readonly SheetMark['kind'][] = ['asked', 'retried'];
/** Marks about single steps. They come after the agent's words, which matter more in a short row. */
const lateMarks: readonly SheetMark['kind'][] = ['tool_failed', 'denied', ...quietMarks];

/** The agent's words have no mark: hive does not know whether they are right. */
const taskLine = ({title, said, marks}: SheetTask): SheetLine => {
	const {shown, rest} = head(said, shownLines.said);
	const [late, early] = [true, false].map(isLate =>
		marks.filter(({kind}) => lateMarks.includes(kind) === isLate).map(mark => mark.text),
	) as [string[], string[]];
	const textWith = (words: string): string =>
		[...early, ...(words === '' ? [] : [`"${words}"`]), ...late].join(' · ');
	const text = textWith(shown);
	return {
		tone: toneOf(marks),
		about: title,
		text: text === '' ? 'nothing said' : text,
		...(rest && {more: said, whole: textWith(head(said, Infinity).shown)}),
	};
};

const toneOf = (marks: readonly SheetMark[]): SheetTone => {
	if (marks.some(({kind}) => badMarks.includes(kind))) return 'bad';
	return marks.some(({kind}) => !quietMarks.includes(kind)) ? 'warn' : 'plain';
};

/** Whether it is in the landing queue or at the forge, why it did not land, and what was merged. */
const queueLines = (
	{landing, left, merged, pullRequest}: Sheet,
	now: number | undefined,
): readonly SheetLine[] => [
	...(pullRequest === null ? [] : forgeLines(pullRequest)),
	...(left === null
		? []
		: [{tone: 'bad', text: `Did not land: ${left.reason}`, ...printed(left.output)} as const]),
	...merged.map(mergedLine),
	...(landing === null ? [] : [{tone: 'plain', text: queuedText(landing, now)} as const]),
];

const mergedLine = ({commit, base, by, withoutChecks}: Sheet['merged'][number]): SheetLine =>
	withoutChecks === null
		? {
				tone: 'plain',
				text: `Merged${base === '' ? '' : ` into ${base}`} as ${commit.slice(0, 7)} by ${personOf(by)}`,
			}
		: {tone: 'warn', text: overrideText(by, withoutChecks.reason)};

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
				: `its checks${ageText(check.since, now, ' began ', ' ago') || ' run'}`;
	return `${place} of ${base || detached}: ${what}${ageText(since, now, '; approved ', ' ago')}`;
};

const maxForgeLines = 10;

/** A request, then each failed check and each comment that no agent has got. */
const forgeLines = ({sentence, state, url, failed, comments}: RequestView): readonly SheetLine[] => {
	const isBad = state === 'left' || state === 'closed' || failed.length > 0;
	const open = comments.filter(comment => comment.state === 'new');
	return [
		{tone: isBad ? 'bad' : 'plain', text: url === '' ? sentence : `${sentence} ${url}`},
		...open.slice(0, maxForgeLines).map(requestCommentLine),
		...(open.length > maxForgeLines
			? [{tone: 'warn', text: `and ${open.length - maxForgeLines} more comments there`} as const]
			: []),
	];
};

const requestCommentLine = ({author, isTrusted, path, line, text}: RequestCommentView): SheetLine => {
	const place = path === '' ? '' : ` on ${path}${line === null ? '' : `, line ${line}`}`;
	const words = sanitizeLine(text).trim();
	return isTrusted
		? {tone: 'warn', about: `${author}${place}`, text: words}
		: {tone: 'dim', about: `${author}${place}`, text: `${words} (may not write here, so no agent gets it)`};
};

const outsideLines = ({outside, tasks}: Sheet): readonly SheetLine[] => {
	const shown = outside.filter(({text}) => uncountedLimits(text) === undefined);
	if (shown.length === 0) return tasks.length === 0 ? [] : [{tone: 'dim', text: 'nothing'}];
	return shown.map(({bee, text, warning}) => ({tone: warning ? 'warn' : 'dim', about: beeName(bee), text}));
};

const sharingLine = ({title, traceId, paths}: Sheet['alsoAtWork'][number]): SheetLine => ({
	tone: 'warn',
	text: `${title || traceId} changes the same lines of ${somePaths(paths)}`,
});

/** The cost, and the bees whose runs a limit does not count. Why it does not is shown when it is unfolded. */
const costLine = (sheet: Sheet): SheetLine => {
	const text = costText(sheet);
	const uncounted = sheet.outside.filter(one => uncountedLimits(one.text) !== undefined);
	if (uncounted.length === 0) return {tone: 'plain', text};
	const bees = new Map<string, Set<string>>();
	for (const one of uncounted) {
		const limits = uncountedLimits(one.text) ?? '';
		bees.set(limits, (bees.get(limits) ?? new Set()).add(beeName(one.bee)));
	}
	const clauses = [...bees].map(([limits, names]) => `${limits} ${[...names].join(', ')}`);
	const reasons = uncounted.map(one => `${beeName(one.bee)}: ${one.text}`);
	return {tone: 'warn', text: [text, ...clauses].join('; '), more: [text, ...reasons].join('\n')};
};

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
	const {branch, message, tree, push} = lands;
	const base = `${branch || detached}${push === 'required' ? ', pushed to its upstream' : ''}`;
	const [subject = '', ...body] = message.split('\n');
	return [
		{
			tone: 'plain',
			text: `${base}, ${tree === '' ? 'conflicts' : 'merges cleanly'}, ${commitsText(lands, subject)}`,
			...(body.join('').trim() !== '' && {more: message}),
		},
	];
};

/** What arrives on the base. Replayed commits have messages of their own. */
const commitsText = ({strategy, onApprove}: NonNullable<Sheet['lands']>, subject: string): string => {
	if (onApprove === 'pull_request') return `by a pull request "${subject}"`;
	if (strategy === 'rebase') return strategyEffects.rebase;
	return `${strategy === 'squash' ? 'one commit' : 'merge commit'} "${subject}"`;
};

const changeLines = ({changes, missing, merged, gate}: Sheet): readonly SheetLine[] => {
	if (changes === null)
		return missing.changes === undefined ? reading : [{tone: 'warn', text: missing.changes}];
	const {files, problems, warnings, large = []} = changes;
	const noFiles: SheetLine =
		merged.length > 0 && gate === ''
			? {tone: 'dim', text: 'Nothing beyond what is merged.'}
			: {tone: 'warn', text: 'No file changes.'};
	return [
		...[...problems, ...large].map(text => ({tone: 'bad', text}) as const),
		...warnings.map(text => ({tone: 'warn', text}) as const),
		files.length > 0 ? {tone: 'plain', text: filesText(changes)} : noFiles,
	];
};

const filesText = ({files, added, removed}: Pick<SheetChanges, 'files' | 'added' | 'removed'>): string =>
	`${formatCount(files.length, 'file')} +${added} -${removed}`;
