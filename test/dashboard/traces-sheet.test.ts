import {afterEach, describe, expect, it} from 'vitest';
import type {Trace} from '../../source/domain/trace.ts';
import type {SheetFacts} from '../../source/host/views/sheet.ts';
import {ago, buildLanding, buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver?.stop());

const done = buildTask('limiter', {
	title: 'Limiter',
	status: 'completed',
	agentId: 'r1',
	proposal: {sequence: 5, workspace: 'isolated', summary: 'Fixed window.'},
	verdict: {sequence: 6, proposal: 5, passed: true, summary: 'Header covered.'},
});
const gate = buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''});
const request = {sequence: 1, title: '', body: 'Limit requests to 100 a minute.'};
const said = {
	status: 'completed',
	finishedAt: ago(3),
	summary: 'Fixed window. Not done: sliding log.',
} as const;
const waiting = buildTrace('t', {
	...{title: 'Rate limit middleware', titled: true, request},
	tasks: [done, gate],
	runs: [buildRun('r1', {taskId: 'limiter', ...said})],
});
const facts: SheetFacts = {
	lands: {
		branch: 'main',
		strategy: 'merge',
		message: 'Rate limit middleware',
		signed: false,
		push: 'none',
		onApprove: null,
		tree: 'abc',
	},
	changes: {
		files: [{path: 'source/limit.mjs', added: 40, removed: 2}],
		...{added: 40, removed: 2, problems: [], warnings: []},
	},
};

describe('the lower half of the traces tab', () => {
	it.each([
		[80, 24],
		[120, 36],
		[200, 50],
	])(
		'shows the sheet of a waiting trace in the first frame, and fills in git below, at %ix%i',
		async (columns, rows) => {
			let deliver: (facts: SheetFacts) => void = () => undefined;
			const read = new Promise<SheetFacts>(resolve => {
				deliver = resolve;
			});
			driver = await drive(
				{columns, rows},
				{follow: (_, call) => call({traces: mapOf(waiting), events: []}), sheetFacts: () => read},
			);
			const first = driver.screen().split('\n');
			for (const words of ['You asked', 'Not done: sliding log.', '! No checks ran.', 'Header covered.'])
				expect(first.filter(row => row.includes(words))).toHaveLength(1);
			expect(driver.screen()).toContain('reading…');
			expect(driver.screen()).toMatch(/Limit requests to 100 a minute.*· Rate limit middleware/);
			deliver(facts);
			await driver.settled();
			const filled = driver.screen().split('\n');
			expect(driver.screen()).toContain('main, merges cleanly, merge commit "Rate limit middleware"');
			expect(driver.screen()).toContain('1 file +40 -2');
			const kept = first.findIndex(row => row.includes('Lands as'));
			expect(filled.slice(2, kept)).toEqual(first.slice(2, kept));
		},
	);

	it('is read again once the base has moved, so that no older check stays green', async () => {
		let known = facts;
		driver = await drive(undefined, {
			follow: (_, call) => call({traces: mapOf(waiting), events: []}),
			sheetFacts: async () => known,
		});
		await driver.settled();
		expect(driver.screen()).toContain('main, merges cleanly');
		known = {missing: {lands: 'main has moved'}};
		driver.tell.clashes({conflicts: new Map(), overlaps: [], bases: new Map([['t', 'c2']])});
		await driver.settled();
		await driver.settled();
		expect(driver.screen()).not.toContain('merges cleanly');
		expect(driver.screen()).toContain('main has moved');
	});

	it('does not say of a merge that lands what its finished task waited for', async () => {
		const ready = {...done, status: 'ready'} as const;
		const {landing} = buildLanding('t');
		let show: (trace: Trace) => void = () => undefined;
		driver = await drive(undefined, {
			follow: (_, call) => {
				show = trace => call({traces: mapOf(trace), events: []});
				show(buildTrace('t', {tasks: [ready, {...gate, status: 'planned'}]}));
			},
		});
		await driver.settled();
		expect(driver.screen()).toContain('waits: what limiter needs');
		show(buildTrace('t', {tasks: [done, gate], ...(landing && {landing}), sequence: 99}));
		await driver.settled();
		expect(driver.screen()).toContain('in the landing queue of main');
		expect(driver.screen()).not.toContain('waits: what');
	});

	it('shows the log while the runs of a decision have the focus', async () => {
		const own = {...done, status: 'waiting_review', review: 'required'} as const;
		const trace = buildTrace('t', {tasks: [own], runs: [buildRun('r1', {taskId: 'limiter', ...said})]});
		driver = await drive(undefined, {follow: (_, call) => call({traces: mapOf(trace), events: []})});
		expect(driver.screen()).toContain('Guards');
		driver.press('tab', 'tab', 'tab');
		expect(driver.screen()).toContain('┌─ Log builder');
		driver.press('g', 'esc', 'esc');
		expect(driver.screen()).toContain('Guards');
	});

	it('gets the rows that the lists above do not need, and stays where it is while the selection moves', async () => {
		const others = ['a', 'b', 'c'].map(id =>
			buildTrace(id, {title: `Work ${id}`, tasks: [buildTask('a', {status: 'running'})]}),
		);
		const traces = mapOf(waiting, ...others);
		driver = await drive({columns: 200, rows: 50}, {follow: (_, call) => call({traces, events: []})});
		const rowOf = (words: string) =>
			driver
				.screen()
				.split('\n')
				.findIndex(row => row.includes(words));
		const top = rowOf('You asked');
		expect(top).toBeLessThan(14);
		for (const {traceId} of others) expect(rowOf(`Work ${traceId}`)).toBeLessThan(top);
		const borders = () =>
			driver
				.screen()
				.split('\n')
				.map(row => row.startsWith('┌'));
		const before = borders();
		driver.press('j');
		expect(borders()).toEqual(before);
	});

	it('says once what a task asks', async () => {
		const asking = buildTask('a', {status: 'waiting_review', waitsFor: 'question', agentId: 'r'});
		const questions = [{questionId: 'q', sequence: 4, text: 'Per route or global?', options: []}];
		const trace = buildTrace('t', {
			tasks: [asking],
			runs: [buildRun('r', {...said, taskId: 'a', questions})],
		});
		driver = await drive(
			{columns: 200, rows: 50},
			{follow: (_, call) => call({traces: mapOf(trace), events: []})},
		);
		await driver.settled();
		const lower = driver.screen().split('\n').slice(12);
		expect(lower.filter(row => row.includes('Per route or global?'))).toHaveLength(1);
	});

	it('unfolds with Enter, and folds again for another task', async () => {
		const body = Array.from({length: 9}, (_, index) => `wish ${index}`).join('\n');
		const trace = {...waiting, request: {...request, body}};
		driver = await drive(undefined, {follow: (_, call) => call({traces: mapOf(trace), events: []})});
		expect(driver.screen()).not.toContain('wish 8');
		driver.press('tab', 'tab', 'enter');
		expect(driver.screen()).toContain('wish 8');
		driver.press('esc', 'tab', 'up');
		expect(driver.screen()).not.toContain('wish 8');
	});

	it.each(['no traces', 'only finished traces'])('is not empty with %s', async kind => {
		const finished = ['a', 'b'].map(id =>
			buildTrace(id, {
				title: `Old ${id}`,
				tasks: [buildTask('_review', {status: 'completed', review: 'final', commit: '9c1e02fabc'})],
			}),
		);
		const traces = mapOf(...(kind === 'no traces' ? [] : finished));
		driver = await drive(undefined, {follow: (_, call) => call({traces, events: []})});
		expect(driver.screen()).not.toMatch(/No run selected|no run selected/);
		expect(driver.screen()).toContain(
			kind === 'no traces' ? 'Press c and say what you want.' : 'Old a  merged as 9c1e02f',
		);
	});

	it('shows the plan and the touched files of a live run, as far as they are known', async () => {
		const trace = buildTrace('t', {
			tasks: [buildTask('a', {status: 'running', agentId: 'r'})],
			runs: [buildRun('r', {taskId: 'a'})],
		});
		driver = await drive(undefined, {follow: (_, call) => call({traces: mapOf(trace), events: []})});
		driver.tell.doing(
			new Map([
				[
					'r',
					{
						...{about: 'thinking', spokeAt: noon},
						plan: [
							{text: 'Read the code', status: 'done'},
							{text: 'Write the limiter', status: 'active'},
						],
						touched: [{path: 'source/limit.mjs', added: 12, removed: 1}],
					},
				],
			]),
		);
		await driver.settled();
		for (const words of ['Plan 1 of 2', '[>] Write the limiter', '1 file +12 -1', 'source/limit.mjs +12 -1'])
			expect(driver.screen()).toContain(words);
	});
});
