import {afterEach, describe, expect, it} from 'vitest';
import {accepted} from '../../source/domain/errors.ts';
import type {DashboardPreferences, UpdatePreferences} from '../../source/host/dashboard-preferences.ts';
import {ago, buildLanding, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver.stop());

const gate = buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''});
const waiting = buildTrace('waits', {title: 'Add login', createdAt: ago(90), tasks: [buildTask('a'), gate]});
const running = buildTrace('runs', {
	title: 'Faster imports',
	tasks: [buildTask('b', {status: 'running', bee: 'maker'})],
	runs: [buildRun('r', {bee: 'maker', taskId: 'b'})],
});
const done = (id: string, title: string) =>
	buildTrace(id, {title, createdAt: ago(300), tasks: [buildTask('c', {status: 'completed'})]});
const all = mapOf(running, done('d1', 'Bump deps'), waiting, done('d2', 'Fix typo'));

const open = async (change: Parameters<typeof drive>[1] = {}): Promise<void> => {
	driver = await drive(undefined, {...change, follow: (_, call) => call({traces: all, events: []})});
};
const titles = (): string[] =>
	[
		...driver.screen().matchAll(/^│[ >]\S*\s+(Add login|Faster imports|Bump deps|Fix typo|Finished \d+)/gm),
	].map(([, title = '']) => title);

describe('the list of traces', () => {
	it('starts with traces that need a person, and folds finished ones into one row', async () => {
		await open();
		expect(titles()).toEqual(['Add login', 'Faster imports', 'Finished 2']);
		expect(driver.screen()).toContain('Traces 1 of 4');
		driver.press('G', 'enter');
		expect(titles()).toEqual(['Add login', 'Faster imports', 'Finished 2', 'Bump deps', 'Fix typo']);
		driver.press('enter');
		expect(titles()).toHaveLength(3);
	});

	it('says that an approved trace is landing, and does not count it among those that need you', async () => {
		const landing = buildLanding('lands', {title: 'Sort exports'});
		const traces = mapOf(...all.values(), landing);
		driver = await drive({columns: 120, rows: 36}, {follow: (_, call) => call({traces, events: []})});
		expect(driver.screen()).toContain('Needs you 1');
		expect(driver.screen()).toContain('Review(1)');
		expect(driver.screen().indexOf('Sort exports')).toBeGreaterThan(driver.screen().indexOf('Waiting 1'));
		driver.press('/', ...'sort exports', 'enter');
		await driver.settled();
		expect(driver.screen()).toMatch(/Final review +\S+ landing/);
		expect(driver.screen()).toContain('Landing');
		expect(driver.screen()).toContain('number 1 in the landing queue of main: it waits for its checks');
		driver.press(':', ...'landing');
		expect(driver.screen()).toContain('hive landing cancel --trace lands');
		expect(driver.screen()).toContain('It is in the landing queue already.');
	});

	it('offers to check again only what did not land', async () => {
		const traces = mapOf(
			buildTrace('back', {
				title: 'Sort exports',
				tasks: [gate],
				landingLeft: {taskId: '_review', reason: 'The checks failed on the merge with main.', sequence: 70},
			}),
		);
		const check = {state: 'failed', summary: 'npm test (exit 1)', at: '', agentId: 'v', output: ''} as const;
		const preview = async () => accepted({...fixturePreview, check});
		const follow: NonNullable<Parameters<typeof drive>[1]>['follow'] = (_, call) =>
			call({traces, events: []});
		driver = await drive({columns: 120, rows: 36}, {preview, follow});
		expect(driver.screen()).toContain('✗ Did not land: The checks failed on the merge with main.');
		driver.press(':', ...'check again', 'enter');
		await driver.settled();
		driver.wait(300);
		driver.press('c');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'landing.retry', input: {traceId: 'back'}}]);
		driver.stop();
		driver = await drive(undefined, {follow: (_, call) => call({traces: all, events: []})});
		driver.press(':', ...'check again');
		expect(driver.screen()).toContain('Nothing here failed to land.');
	});

	it('unfolds finished traces with right and folds them with left, which elsewhere move between panes', async () => {
		await open();
		driver.press('G', 'l');
		expect(titles()).toHaveLength(5);
		driver.press('j', 'left');
		expect(titles()).toHaveLength(3);
		expect(driver.screen()).toMatch(/>▸ +Finished 2/);
		driver.press('right');
		expect(titles()).toHaveLength(5);
		driver.press('h');
		expect(titles()).toHaveLength(3);
		driver.press('g', 'l');
		expect(driver.store.getState().focus.traces).toBe('tasks');
		driver.press('h');
		expect(driver.store.getState().focus.traces).toBe('traces');
	});

	it('starts each filter empty, finds folded traces, and keeps a found trace selected and in sight', async () => {
		await open();
		driver.press('/');
		driver.type('login');
		driver.press('enter', '/');
		expect(titles()).toHaveLength(3);
		driver.type('is:finished typo');
		expect(titles()).toEqual(['Fix typo']);
		driver.press('enter', 'esc');
		expect(titles()).toEqual(['Add login', 'Faster imports', 'Finished 2', 'Fix typo']);
		expect(driver.screen()).toMatch(/>✓ +Fix typo/);
		expect(driver.screen()).toContain('Traces 3 of 4');
	});

	it.each([
		['is:waiting', ['Add login']],
		['is:running bee:maker', ['Faster imports']],
		['is:running bee:builder', []],
		['is:finished', ['Bump deps', 'Fix typo']],
	])('is filtered by %s', async (text, found) => {
		await open();
		driver.press('/');
		driver.type(text);
		expect(titles()).toEqual(found);
	});

	it('archives finished traces, shows them on request, and remembers that and the order', async () => {
		let kept: DashboardPreferences = {sort: '', archived: ['of another face'], learned: ['runs']};
		const remember: UpdatePreferences = async change => {
			kept = change(kept);
		};
		await open({updatePreferences: remember});
		driver.press('A');
		expect(driver.screen()).toContain('Only what is finished can be archived.');
		driver.press('G', 'A');
		expect(titles()).toEqual(['Add login', 'Faster imports']);
		driver.press('s');
		expect(kept).toEqual({sort: 'newest', archived: ['of another face', 'd1', 'd2'], learned: ['runs']});
		driver.press('/');
		driver.type('is:archived');
		driver.press('enter');
		expect(titles()).toEqual(['Bump deps', 'Fix typo']);
		driver.press('A', 'esc');
		expect(kept.archived).toEqual(['of another face', 'd2']);
	});

	it('offers no kill of a finished trace', async () => {
		await open();
		driver.press('/');
		driver.type('typo');
		driver.press('enter', 'K');
		expect(driver.screen()).toContain('All of it is over: there is nothing to kill.');
	});
});

describe('a trace that was merged without checks', () => {
	it('always shows who merged it, and why', async () => {
		const merged = buildTrace('merged', {
			title: 'Sort exports',
			tasks: [
				buildTask('_review', {
					status: 'completed',
					review: 'final',
					bee: '',
					commit: 'abcdef0123',
					summary: 'Fine',
				}),
			],
			runs: [buildRun('r', {bee: 'hive.verify', taskId: '_review', status: 'failed', finishedAt: ago(1)})],
			landed: [
				{
					...{taskId: '_review', tree: 'f'.repeat(40), commit: 'abcdef0123', base: 'main', by: 'chat'},
					...{withoutChecks: {reason: 'Agreed with Bo.'}, sequence: 80},
				},
			],
		});
		driver = await drive(
			{columns: 120, rows: 36},
			{follow: (_, call) => call({traces: mapOf(merged), events: []})},
		);
		expect(driver.screen()).toContain('! merged as abcdef0 without checks: Fine');
		expect(driver.screen()).toContain('! Merged without checks by a person in the chat: Agreed');
	});
});

describe('a task that names no bee', () => {
	it("has the colony's default bee in its row", async () => {
		const trace = buildTrace('t', {tasks: [buildTask('a', {bee: '', title: 'Limiter'})]});
		driver = await drive(undefined, {
			follow: (_, call) => call({traces: mapOf(trace), events: []}),
			status: (_, call) => call({reactor: 'here', bus: {state: 'live'}, places: [], defaultBee: 'carpenter'}),
		});
		expect(driver.screen()).toMatch(/Limiter +carpenter/);
	});
});
