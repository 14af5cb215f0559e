import {afterEach, describe, expect, it} from 'vitest';
import {keyLabel} from '../../source/dashboard/keys/resolve.ts';
import {tabHint} from '../../source/dashboard/keys/tab-lessons.ts';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {startScreenReader} from '../../source/dashboard/screen-reader.ts';
import {examplesReceived} from '../../source/dashboard/store/lesson-changes.ts';
import {openTab} from '../../source/dashboard/store/pane-changes.ts';
import {type Size, tabs} from '../../source/dashboard/store/state.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import type {DashboardPreferences} from '../../source/host/dashboard-preferences.ts';
import {mergeAdvice} from '../../source/host/views/merge-advice.ts';
import {buildTask, buildTrace, mapOf} from './build-trace.ts';
import {createFixtureWorld, fixtureTraces} from './fixture-world.ts';
import {type Driver, drive, loadedState, textOf} from './screen-of.ts';

const sizes = [
	[80, 24],
	[120, 36],
	[200, 50],
] as const;

let driver: Driver;
afterEach(() => driver.stop());

const empty: Partial<DashboardServices> = {
	follow: (_signal, call) => call({traces: new Map(), events: []}),
};

/** Opens a dashboard of a machine that remembers. */
const open = async (change: Partial<DashboardServices> = {}, size?: Size) => {
	let kept: DashboardPreferences = {sort: '', archived: [], learned: []};
	driver = await drive(size, {
		preferences: kept,
		updatePreferences: async step => {
			kept = step(kept);
		},
		...change,
	});
	await driver.settled();
	return {learned: () => kept.learned, kept: () => kept};
};

describe('an empty colony', () => {
	it.each(sizes)(
		'says which key to press, with examples from the repository, at %ix%i',
		async (columns, rows) => {
			await open(empty, {columns, rows});
			const screen = driver.screen();
			for (const text of [
				'No traces yet.',
				'Press c and say what you want.',
				'>Examples  Add a test for src/parse.ts ',
				' Fix the TODO in lib/x.js: close the file on every path ',
				' Describe how to run the tests in README.md ',
				'hive cue run feature "<text>"',
			])
				expect(screen).toContain(text);
			expect(screen).not.toContain('…');
			expect(screen.split('\n').at(-1)).toContain('Enter use example');
		},
	);

	it('has all of it on one pane of the smallest screen', async () => {
		await open(empty, {columns: 60, rows: 15});
		expect(driver.screen()).toContain('Press c and say what you want.');
		expect(driver.screen()).toContain('Describe how to run the tests in README.md');
		expect(driver.screen()).toContain('hive cue run feature');
	});

	it('opens the dialog with the example that is chosen, which the person sends or leaves', async () => {
		await open(empty);
		driver.press('down', 'enter');
		expect(driver.screen()).toContain('│ Fix the TODO in lib/x.js: close the file on every path');
		driver.wait(300);
		driver.press('esc');
		expect(driver.store.getState().mode.kind).toBe('browse');
		driver.press('enter');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toEqual([
			{
				action: 'cue.run',
				input: {cueId: 'feature', text: 'Fix the TODO in lib/x.js: close the file on every path'},
			},
		]);
	});

	it('opens the empty dialog where no example is at the cursor', async () => {
		await open({...empty, examples: () => Promise.reject(new Error('no git'))});
		expect(driver.screen()).toContain('Press c and say what you want.');
		expect(driver.screen()).not.toContain('Examples');
		driver.press('enter');
		expect(driver.screen()).toContain('What is it about:');
	});

	it('asks for examples once, and a colony with traces never does', async () => {
		let asked = 0;
		const examples = async () => {
			asked += 1;
			return [];
		};
		await open({examples});
		driver.press('j', '2', '1');
		expect(asked).toBe(0);
		driver.stop();
		await open({...empty, examples});
		driver.press('j', '2', '1');
		await driver.settled();
		expect(asked).toBe(1);
	});

	it('shows an example only as text', () => {
		const state = examplesReceived(['Add a test for \u001b[2Ja.ts'])({...loadedState(), traces: new Map()});
		expect(textOf(state).join('\n')).not.toContain('\u001b');
	});
});

describe('the hint of a tab', () => {
	it.each(tabs)('says in one row what the tab %s is for, and the one key, at any size', tab => {
		for (const [columns, rows] of [[60, 15], ...sizes]) {
			const state = openTab(tab)({...loadedState({columns, rows}), untaught: new Set([tab])});
			const {about, key, does} = tabHint(state) ?? {about: '', key: '', does: ''};
			const text = `${about} ${key} ${does}`;
			expect(widthOf(text)).toBeLessThanOrEqual(56);
			expect(textOf(state).at(-2)?.trimEnd()).toBe(` · ${text}`);
		}
	});

	it('goes once its key was used there, and is remembered', async () => {
		const {learned} = await open();
		driver.press('2');
		expect(driver.screen()).toContain('· Runs: every start of a bee. i shows');
		driver.press('i', 'esc');
		expect(driver.screen()).not.toContain('Runs: every start');
		driver.press('5');
		expect(driver.screen()).toContain('Sessions: talks with bees. C starts one.');
		expect(learned()).toEqual(['runs']);
	});

	it('stays while its key does nothing', async () => {
		const {learned} = await open(empty);
		driver.press('3', 'a');
		driver.wait(6000);
		expect(driver.screen()).toContain('Review: what waits for you. a approves it.');
		expect(learned()).toEqual([]);
	});

	it('gives way to a message, and is not shown where it was used before', async () => {
		await open({preferences: {sort: '', archived: [], learned: ['events']}});
		driver.press('4');
		expect(driver.screen()).not.toContain('Events: all that happened.');
		driver.press('6');
		expect(driver.screen()).toContain(`Colony: bees, cues, problems. ${keyLabel(':')} runs any command.`);
		driver.tell.complaint('The console could not be served.');
		await driver.settled();
		expect(driver.screen()).not.toContain('Colony: bees, cues, problems.');
	});
});

describe('after the first merge', () => {
	const gate = buildTask('_review', {status: 'completed', review: 'final', bee: '', commit: '9c1e02fabc'});
	const merged = mapOf(buildTrace('t', {title: 'Add login', tasks: [gate]}));
	const left = mapOf(buildTrace('t', {title: 'Add login', tasks: [{...gate, left: true}]}));
	const news = 'Your first merge is done.';

	it('the dashboard says once what to try next, until the next key', async () => {
		const {learned, kept} = await open({follow: (_, call) => call({traces: merged, events: []})});
		expect(driver.screen()).toContain(news);
		expect(learned()).toEqual(['merge']);
		driver.wait(60_000);
		expect(driver.screen()).toContain('"hive blame <file>"');
		driver.press('j');
		expect(driver.screen()).not.toContain(news);
		driver.stop();
		await open({preferences: kept(), follow: (_, call) => call({traces: merged, events: []})});
		expect(driver.screen()).not.toContain(news);
	});

	it('the advice waits for an open dialog', async () => {
		await open();
		driver.press('c');
		driver.wait(300);
		driver.tell.update({traces: merged, events: []});
		await driver.settled();
		expect(driver.screen()).not.toContain(news);
		driver.press('esc');
		expect(driver.screen()).toContain(news);
	});

	it('nothing is said in a colony that has merged before', async () => {
		const traces = mapOf(buildTrace('t', {tasks: [gate]}), buildTrace('u', {tasks: [gate]}));
		const {learned} = await open({follow: (_, call) => call({traces, events: []})});
		expect(driver.screen()).not.toContain(news);
		expect(learned()).toEqual(['merge']);
	});

	it('nothing is said of work that was left on its branch', async () => {
		await open({follow: (_, call) => call({traces: left, events: []})});
		expect(driver.screen()).not.toContain(news);
	});

	it.each(sizes)('the advice is complete at %ix%i', async (columns, rows) => {
		await open({follow: (_, call) => call({traces: merged, events: []})}, {columns, rows});
		expect(driver.screen().replaceAll(/\s+/g, ' ')).toContain(mergeAdvice);
	});

	it('a screen reader hears the same, and how to begin in an empty colony', async () => {
		driver = await drive();
		const said: string[] = [];
		let kept: DashboardPreferences = {sort: '', archived: [], learned: []};
		const {world, tell} = createFixtureWorld({
			preferences: kept,
			updatePreferences: async step => {
				kept = step(kept);
			},
		});
		let first = true;
		const follow: DashboardServices['follow'] = (signal, call) =>
			world.follow(signal, update => {
				call(first ? {traces: new Map(), events: []} : update);
				first = false;
			});
		const ending = new AbortController();
		const ended = startScreenReader({...world, follow}, text => said.push(text.trimEnd()), ending.signal);
		await new Promise(setImmediate);
		expect(said).toContain(`Say what you want: "hive cue run feature '<text>'".`);
		expect(said).toContain('For example: Add a test for src/parse.ts.');
		tell.update({traces: merged, events: []});
		tell.update({traces: new Map([...merged, ...fixtureTraces]), events: []});
		expect(said.filter(text => text === mergeAdvice)).toHaveLength(1);
		ending.abort();
		await ended;
		expect(kept.learned).toEqual(['merge']);
	});
});
