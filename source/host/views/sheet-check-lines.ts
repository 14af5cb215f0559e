import {formatDuration} from './format-duration.ts';
import type {Sheet} from './sheet.ts';
import type {SheetCheck, SheetGuard} from './sheet-checks.ts';
import {ageText, head, printed, type SheetLine, shownLines} from './sheet-line.ts';

export const checkLines = (sheet: Sheet, now: number | undefined): readonly SheetLine[] => {
	const {checks, tasks} = sheet;
	const merge = mergeLine(sheet, now);
	if (checks.length === 0) {
		if (merge !== undefined) return [merge];
		return tasks.length === 0 ? [] : [{tone: 'warn', text: 'No checks ran.'}];
	}
	const groups = groupEqual(checks, ({command, state, output, lands}) => [command, state, output, lands]);
	return [
		...groups.map(({items, about}) => ({...about, ...checkLine(newestOf(items), sheet, now)})),
		...(merge === undefined ? [] : [merge]),
	];
};

type Group<Item> = {readonly items: readonly [Item, ...Item[]]; readonly about: {readonly about?: string}};

/** Groups what differs only in its task. A single group needs no subject. */
const groupEqual = <Item extends {readonly title: string}>(
	items: readonly Item[],
	factsOf: (item: Item) => readonly unknown[],
): readonly Group<Item>[] => {
	const groups = new Map<string, [Item, ...Item[]]>();
	for (const item of items) {
		const key = JSON.stringify(factsOf(item));
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [item]);
		else group.push(item);
	}
	return [...groups.values()].map(group => ({
		items: group,
		about: groups.size > 1 ? {about: group.map(({title}) => title).join(', ')} : {},
	}));
};

const newestOf = (checks: Group<SheetCheck>['items']): SheetCheck =>
	checks.reduce((newest, check) => (check.at > newest.at ? check : newest));

/** What is known of the result of the merge, unless the lines about the tasks say it. */
const mergeLine = (sheet: Sheet, now: number | undefined): SheetLine | undefined => {
	const {mergeCheck, checks} = sheet;
	if (mergeCheck === null) return undefined;
	const {state, summary, at, output} = mergeCheck;
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
				: {tone: 'good', text: `${summary} passed on the tree that lands${age}`};
		case 'failed':
			return ofTree.some(check => check.state === 'failed' && check.command === summary)
				? undefined
				: {
						...{tone: 'bad', text: `${summary} on the tree that lands${age}`},
						// What did not land has the output already.
						...(sheet.left === null ? printed(output) : {}),
					};
	}
};

const notCheckedYet = ({lands}: Sheet, the = 'the', end = ''): string =>
	`${the} merge with ${lands?.branch || 'the base'} is not checked yet${end}`;

const checkLine = (check: SheetCheck, sheet: Sheet, now: number | undefined): SheetLine => {
	const {command, state, at, seconds, lands, output} = check;
	const took = seconds === null ? '' : ` (${formatDuration(seconds * 1000)})`;
	const when = `${ageText(at, now, ', ', ' ago')}${took}`;
	switch (state) {
		case 'running':
			return {tone: 'dim', text: 'the checks are running'};
		case 'not_run':
			return {tone: 'warn', text: 'not checked yet'};
		case 'could_not_run':
			return {tone: 'warn', text: `could not run: ${command}`, ...printed(output)};
		case 'failed':
			return {tone: 'bad', text: `${command}${where(lands)}${when}`, ...printed(output)};
		case 'passed': {
			const passed = `${command} passed${where(lands)}${when}`;
			if (lands === true) return {tone: 'good', text: passed};
			const merge = mergeWords(check, sheet);
			return merge === '' ? {tone: 'plain', text: passed} : {tone: 'warn', text: `${passed}; ${merge}`};
		}
	}
};

/** What a result for the proposal leaves open about the merge; empty if nothing, or if that is not known. */
const mergeWords = ({lands}: SheetCheck, sheet: Sheet): string => {
	switch (sheet.mergeCheck?.state) {
		case 'not_required':
			return isResultChecked(sheet) ? '' : 'no checks ran on the result';
		case 'not_checked':
			return isResultChecked(sheet) ? '' : notCheckedYet(sheet);
		case 'passed':
		case 'failed':
			return '';
		default:
			return lands === false ? 'the merge is not checked yet' : '';
	}
};

/** True if the check of another task was about the same files as the result of the merge. */
const isResultChecked = ({checks}: Sheet): boolean =>
	checks.some(({lands, state}) => lands === true && (state === 'passed' || state === 'failed'));

const where = (lands: boolean | null): string => (lands ? ' on the tree that lands' : ' on the proposal');

export const guardLines = ({guards, tasks}: Sheet): readonly SheetLine[] => {
	if (guards.length === 0)
		return tasks.length === 0 ? [] : [{tone: 'dim', text: 'No guard has judged the work.'}];
	const groups = groupEqual(guards, ({bee, verdict, said, older, now}) => [bee, verdict, said, older, now]);
	return groups.flatMap(({items: [guard], about}) => [
		{...about, ...guardLine(guard)},
		...guard.now.map(text => ({tone: 'dim', text}) as const),
	]);
};

const guardLine = ({bee, verdict, said, older, now}: SheetGuard): SheetLine => {
	const {shown, rest} = head(said, shownLines.said);
	const wordsWith = (text: string): string =>
		`${bee === '' ? 'guard' : bee}: ${text === '' ? verdict : `"${text}"`}`;
	const textOf = (words: string): string =>
		older ? `${verdict} older work; the newest is not judged: ${words}` : words;
	const text = textOf(wordsWith(shown));
	const full = rest ? {more: said, whole: textOf(wordsWith(head(said, Infinity).shown))} : {};
	if (verdict === 'none')
		return now.length > 0 ? {tone: 'dim', text: 'no verdict yet'} : {tone: 'warn', text: 'no verdict'};
	if (older) return {tone: 'warn', text, ...full};
	return {tone: verdict === 'passed' ? 'good' : 'bad', text, ...full};
};
