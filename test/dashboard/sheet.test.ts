import fc from 'fast-check';
import {afterEach, describe, expect, it} from 'vitest';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {plainText} from '../../source/dashboard/parts/line.ts';
import {cautionLines, linesOfBlocks} from '../../source/dashboard/parts/sheet-dialog.ts';
import {sheetRows} from '../../source/dashboard/parts/sheet-rows.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import type {SheetBlock, SheetLine} from '../../source/host/views/sheet-lines.ts';
import {buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

const ids = [
	'request',
	'round',
	'tasks',
	'checks',
	'guards',
	'outside',
	'also',
	'cost',
	'lands',
	'changes',
] as const;
const text = fc.oneof(
	fc.string({unit: 'grapheme', maxLength: 200}),
	fc.constantFrom('all ok', 'a\nb\nc', '你好 👩‍💻', ''),
);
const sheetLine: fc.Arbitrary<SheetLine> = fc.record(
	{
		tone: fc.constantFrom('bad', 'warn', 'good', 'plain', 'dim'),
		text,
		about: text,
		below: fc.array(text, {maxLength: 3}),
		more: text,
	},
	{requiredKeys: ['tone', 'text']},
);
const sheet: fc.Arbitrary<readonly SheetBlock[]> = fc
	.subarray([...ids])
	.chain(chosen =>
		fc.tuple(
			...chosen.map(id =>
				fc.array(sheetLine, {minLength: 1, maxLength: 4}).map((lines): SheetBlock => ({id, name: id, lines})),
			),
		),
	);
const look = fc.record({width: fc.integer({min: 20, max: 160}), isUnfolded: fc.boolean()});

const rowsIn = (blocks: readonly SheetBlock[], width: number, isUnfolded: boolean) => {
	const folded = sheetRows(blocks, {width, unfolded: new Set()});
	return isUnfolded ? sheetRows(blocks, {width, unfolded: new Set(folded.map(({key}) => key))}) : folded;
};

describe('a drawn sheet', () => {
	it('has as many green marks as the view model has good lines, and no other green', () => {
		fc.assert(
			fc.property(sheet, look, (blocks, {width, isUnfolded}) => {
				const good = blocks.flatMap(({lines}) => lines.filter(({tone}) => tone === 'good'));
				const rows = rowsIn(blocks, width, isUnfolded).flatMap(({line}) => line);
				const green = rows.filter(({tone, text}) => tone === 'good' && text.trim() !== '');
				expect(green.map(span => span.text.trim())).toEqual(good.map(() => '✓'));
				expect(rows.some(({tone}) => tone === 'added')).toBe(false);
				expect(
					cautionLines(blocks)
						.flat()
						.some(({tone}) => tone === 'good'),
				).toBe(false);
				const drawn = linesOfBlocks(blocks, ids).flat();
				expect(drawn.filter(({tone}) => tone === 'good')).toHaveLength(good.length);
			}),
		);
	});

	it('fits its width, and has every line of the view model', () => {
		fc.assert(
			fc.property(sheet, look, (blocks, {width, isUnfolded}) => {
				const rows = rowsIn(blocks, width, isUnfolded);
				const names = Math.max(0, ...blocks.map(({name}) => name.length));
				if (width > names + 40)
					for (const {line} of rows) expect(widthOf(plainText(line))).toBeLessThanOrEqual(width);
				const keys = new Set(rows.map(({key}) => key));
				const lines = blocks.flatMap(block => block.lines);
				const isJoined = ['outside', 'cost'].every(id =>
					blocks.some(block => block.id === id && block.lines.length === 1),
				);
				expect(keys.size).toBeGreaterThanOrEqual(lines.length - (isJoined ? 1 : 0));
			}),
		);
	});

	it('shows as much as fits in the height, and says where a text goes on', () => {
		const parts = [
			{
				id: 'request',
				name: 'You asked',
				lines: [{tone: 'plain', text: 'one\ntwo\nthree', more: 'one\ntwo\nthree\nfour'}],
			},
			{
				...{id: 'guards', name: 'Guards'},
				lines: ['Limiter', 'Tests'].map(about => ({tone: 'good', about, text: 'guard: "Fine."'}) as const),
			},
			{id: 'changes', name: 'Changes', lines: [{tone: 'plain', text: '2 files +3 -1'}]},
		] as const;
		const texts = (height: number, unfolded: readonly string[] = []) =>
			sheetRows(parts, {width: 60, height, unfolded: new Set(unfolded)}).map(({line}) =>
				plainText(line).trimEnd(),
			);
		expect(texts(5)).toEqual([
			...['You asked  one', '           two', '           three …'],
			...['Guards     ✓ Limiter  guard: "Fine."', '           ✓ Tests    guard: "Fine."'],
			'Changes    2 files +3 -1',
		]);
		const folded = ['Guards     ✓ Limiter, Tests  guard: "Fine."', 'Changes    2 files +3 -1'];
		expect(texts(2)).toEqual(['You asked  one …', ...folded]);
		expect(texts(2, ['request//0'])).toEqual([
			...['You asked  one', '           two', '           three', '           four'],
			...folded,
		]);
	});

	it('shows the whole text of a line once it is unfolded', () => {
		const blocks: SheetBlock[] = [
			{
				id: 'checks',
				name: 'Checks',
				lines: [{tone: 'bad', text: 'npm test', below: ['not ok 7'], more: 'a\nb\nnot ok 7'}],
			},
		];
		const texts = (unfolded: ReadonlySet<string>) =>
			sheetRows(blocks, {width: 60, unfolded}).map(({line}) => plainText(line).trimEnd());
		expect(texts(new Set())).toEqual(['Checks  ✗ npm test', '          │ not ok 7']);
		expect(texts(new Set(['checks//0']))).toEqual([
			'Checks  ✗ npm test',
			'          │ a',
			'          │ b',
			'          │ not ok 7',
		]);
	});
});

describe('the sheet of the Review tab', () => {
	let driver: Driver;
	afterEach(() => driver.stop());

	const lines = Array.from(
		{length: 9},
		(_, index) => `Line ${index} is about a part of the work, ${'so '.repeat(7)}`,
	);
	const said = [...lines, 'And a last line.'].join('\n');
	const green = buildTrace('t', {
		title: 'Rate limit middleware',
		request: {title: 'Rate limit middleware', body: 'Limit requests.\nDocument it.', sequence: 1},
		tasks: [
			buildTask('limiter', {
				...{title: 'Limiter', status: 'completed'},
				proposal: {sequence: 4, workspace: 'isolated', summary: ''},
				verdict: {sequence: 6, proposal: 4, passed: true, summary: 'Header covered.'},
			}),
			buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''}),
		],
		runs: [buildRun('r1', {taskId: 'limiter', status: 'completed', summary: said})],
	});
	const open = async (columns: number, rows: number, more: Partial<DashboardServices> = {}) => {
		driver = await drive(
			{columns, rows},
			{follow: (_, call) => call({traces: mapOf(green), events: []}), ...more},
		);
		driver.press('3');
	};

	it('is on screen before its merge is known, and does not move when it is', async () => {
		const before = new Promise<never>(() => {});
		await open(120, 36, {preview: () => before});
		const first = driver.screen().split('\n');
		expect(first.join('\n')).toMatch(/You asked +Rate limit middleware/);
		expect(first.join('\n')).toMatch(/Lands as +reading…/);
		driver.stop();
		await open(120, 36, {});
		await driver.settled();
		const then = driver.screen().split('\n');
		for (const words of ['You asked', 'Tasks', 'Checks', 'Guards', 'Lands as'])
			expect(then.findIndex(row => row.includes(words))).toBe(first.findIndex(row => row.includes(words)));
		expect(then.join('\n')).toMatch(/Lands as +main, merges cleanly, merge commit "Rate limit middleware"/);
	});

	it('unfolds the line at its cursor with Enter, and folds it again', async () => {
		await open(120, 36);
		await driver.settled();
		driver.press('tab');
		for (let row = 0; !/│>.*Limiter|│>Tasks/.test(driver.screen()) && row < 20; row += 1) driver.press('j');
		expect(driver.screen()).not.toContain('And a last line.');
		driver.press('enter');
		expect(driver.screen()).toContain('And a last line.');
		driver.press('enter');
		expect(driver.screen()).not.toContain('And a last line.');
	});

	it('is a page of its own at 80x24, which Tab leaves for the diff', async () => {
		await open(80, 24);
		await driver.settled();
		expect(driver.screen()).toContain('You asked');
		expect(driver.screen()).not.toContain('@@');
		driver.press('tab', 'tab');
		expect(driver.screen()).not.toContain('You asked');
		expect(driver.screen()).toContain('@@');
		driver.press('esc');
		expect(driver.screen()).toContain('You asked');
	});

	it('is no pane while no review is selected', async () => {
		await open(120, 36, {follow: (_, call) => call({traces: new Map(), events: []})});
		expect(driver.screen()).toContain('Nothing waits for you.');
		driver.press('tab');
		expect(driver.store.getState().focus.review).toBe('diff');
	});

	it('is a rejection that names the task of the rework, and lets the person choose another', async () => {
		const tasks = ['limiter', 'tests'].map(taskId => ({taskId, title: taskId, bee: 'builder'}));
		await open(120, 36, {reworkChoice: async () => ({tasks, chosen: 'limiter'})});
		await driver.settled();
		driver.press('x');
		await driver.settled();
		expect(driver.screen()).toContain('builder reworks "Limiter".');
		driver.wait(300);
		driver.type('Shorter.');
		driver.press('tab', 'down', 'ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{action: 'proposal.reject', input: {rework: 'tests', feedback: 'Shorter.'}},
		]);
	});

	it('lands in the way that the person chose, where the dialog says what was checked', async () => {
		await open(120, 36);
		await driver.settled();
		driver.press('a');
		await driver.settled();
		expect(driver.screen()).toMatch(/\(•\) merge +a merge commit/);
		expect(driver.screen()).toMatch(/\( \) rebase +each commit; only the last is checked/);
		driver.wait(300);
		driver.press('shift+tab', 'down', 'down');
		await driver.settled();
		expect(driver.screen()).toContain('(•) rebase');
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'proposal.approve', input: {strategy: 'rebase'}}]);
	});

	it('is merged with the message that the person edited', async () => {
		await open(120, 36);
		await driver.settled();
		driver.press('a');
		await driver.settled();
		expect(driver.screen()).toContain('Commit message');
		expect(driver.screen()).toContain('! Checks: No checks ran.');
		driver.wait(300);
		driver.press('ctrl+g');
		await driver.settled();
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{action: 'proposal.approve', input: {mergeMessage: 'Rate limit middleware edited'}},
		]);
	});
});
