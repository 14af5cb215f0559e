import {afterEach, describe, expect, it} from 'vitest';
import {select} from '../../source/dashboard/store/list-changes.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {rosterOfRuns, type Trace} from '../../source/domain/trace.ts';
import type {SheetFacts} from '../../source/host/views/sheet.ts';
import {ago, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver?.stop());

const sizes = [
	[80, 24],
	[120, 36],
	[200, 50],
] as const;

/** What the person has to know, in the words of the agents and of hive. */
const facts = {
	'a builder that admits a failing test':
		'The window is covered. One test of test/upload.test.mjs fails, I think it failed before my change.',
	'a builder that did half': 'A fixed window. Not done: the sliding log, since the store keeps no order.',
	'a guard with a remark': 'Header covered, but no test says what happens at the end of a window.',
	'a rework that ignored one of two comments': 'you wrote 2 comments: 1 addressed, 1 untouched',
	'the comment that it ignored': 'untouched: source/limit.mjs, line 41: "Send Retry-After',
	'that nothing was checked': 'No checks ran.',
};

const builders = {
	limiter: {title: 'Limiter', said: facts['a builder that did half']},
	tests: {title: 'Tests of the limiter', said: facts['a builder that admits a failing test']},
};
const remark = {passed: true, summary: facts['a guard with a remark']};

/** A second round that looks fine: all runs ended well, and the guard passed the work. */
const scene = buildTrace('t', {
	title: 'Rate limit middleware',
	request: {
		...{sequence: 1, title: 'Rate limit middleware'},
		body: 'Limit requests per client to 100 a minute, with a store that can be exchanged. Document it.',
	},
	tasks: [
		...Object.entries(builders).map(([taskId, {title}], index) =>
			buildTask(taskId, {
				...{title, status: 'completed', agentId: `r-${taskId}`},
				proposal: {sequence: 10 + index, workspace: 'isolated', summary: ''},
				verdict: {sequence: 20 + index, proposal: 10 + index, ...remark},
			}),
		),
		buildTask('_review', {
			...{status: 'waiting_review', review: 'final', bee: ''},
			rejected: {times: 1, sequence: 9, work: 'older', asked: ['Use one clock, and say when to retry.']},
		}),
	],
	runs: Object.entries(builders).map(([taskId, {said}]) =>
		buildRun(`r-${taskId}`, {taskId, status: 'completed', finishedAt: ago(3), summary: said}),
	),
});
const read: SheetFacts = {
	rework: {
		asked: 'Use one clock, and say when to retry.',
		comments: [
			{path: 'source/limit.mjs', line: 12, text: 'One clock for all of it.', state: 'addressed'},
			{path: 'source/limit.mjs', line: 41, text: 'Send Retry-After in seconds.', state: 'untouched'},
		],
	},
	lands: {
		...{branch: 'main', strategy: 'merge', message: 'Rate limit middleware', signed: false},
		...{push: 'none', onApprove: null, tree: 'abc'},
	},
	changes: {
		...{files: fixturePreview.files, added: 58, removed: 4},
		...{problems: [], warnings: []},
	},
	diff: fixturePreview,
};
/** More traces than a small list shows. Some wait too. */
const others = Array.from({length: 9}, (_, index) =>
	buildTrace(`other-${index}`, {
		title: `Other work ${index}`,
		createdAt: ago(1),
		tasks: [
			index % 2 === 0
				? buildTask('a', {status: 'running', agentId: 'r'})
				: buildTask('_review', {status: 'waiting_review', review: 'final', bee: '', updatedAt: ago(1)}),
		],
		runs: [buildRun('r', {taskId: 'a', ...(index % 2 !== 0 && {status: 'completed'})})],
	}),
);
const world = (...traces: readonly Trace[]): Partial<DashboardServices> => ({
	follow: (_signal, call) => call({traces: mapOf(...traces), events: []}),
	sheetFacts: async () => read,
});

/** The text of the sheet, as a person reads it: rows that go on are joined. */
const readSheet = (screen: string): string => {
	const rows = screen.split('\n');
	const first = rows.findIndex(row => row.includes('You asked'));
	const from = (rows[first] ?? '').lastIndexOf('│', (rows[first] ?? '').indexOf('You asked'));
	const end = (rows[first] ?? '').indexOf('│', from + 1);
	return rows
		.slice(first)
		.map(row => row.slice(from + 1, end).trim())
		.join(' ')
		.replaceAll(/\s+/g, ' ');
};

describe('the first screen of a decision', () => {
	describe.each(sizes)('at %ix%i', (columns, rows) => {
		it.each([
			['traces', 'alone', []],
			['traces', 'among others', []],
			['review', 'alone', ['3']],
			['review', 'among others', ['3']],
		])('has each fact that decides in the %s tab, %s', async (_, company, keys) => {
			driver = await drive({columns, rows}, world(scene, ...(company === 'alone' ? [] : others)));
			driver.store.dispatch(select('traces', scene.traceId));
			driver.store.dispatch(select('queue', `${scene.traceId}/_review`));
			driver.press(...keys);
			await driver.settled();
			const said = readSheet(driver.screen());
			const missing = Object.entries(facts).filter(([, words]) => !said.includes(words));
			expect(missing.map(([fact]) => fact)).toEqual([]);
		});
	});

	it('has a cut text only up to a word, after three rows', async () => {
		const said = Array.from({length: 60}, (_, index) => `word${index}`).join(' ');
		const long = buildRun('r-limiter', {taskId: 'limiter', status: 'completed', summary: said});
		driver = await drive({columns: 80, rows: 24}, world({...scene, runs: rosterOfRuns([long])}));
		const rows = driver.screen().split('\n');
		const from = rows.findIndex(row => row.includes('"word0'));
		expect(rows.slice(from, from + 4).map(row => row.includes('word'))).toEqual([true, true, true, false]);
		expect(rows[from + 2]).toMatch(/ word\d+ … *│$/);
	});
});

it('a long message of an agent is whole where there is room, so that its last line is not missed', async () => {
	const said = ['I added the limiter.', '', 'Changes:', '- one window', '', 'One test fails now: upload.'];
	const long = buildRun('r-limiter', {taskId: 'limiter', status: 'completed', summary: said.join('\n')});
	const trace = {...scene, runs: rosterOfRuns([long])};
	for (const [columns, rows] of sizes) {
		driver = await drive({columns, rows}, world(trace));
		for (const tab of ['1', '3']) {
			driver.press(tab);
			await driver.settled();
			expect(readSheet(driver.screen())).toContain('- one window One test fails now: upload."');
		}
		driver.stop();
	}
});

/** The rows inside the pane of the sheet, below its title. */
const paneRows = (screen: string): string[] => {
	const rows = screen.split('\n');
	const first = rows.findIndex(row => row.includes('You asked'));
	const from = (rows[first] ?? '').lastIndexOf('│', (rows[first] ?? '').indexOf('You asked'));
	const length = rows.slice(first).findIndex(row => row[from] === '└');
	return rows.slice(first, first + length).map(row => row.slice(from + 1, row.indexOf('│', from + 1)));
};

describe('the rows below a short sheet', () => {
	const short = buildTrace('s', {
		title: 'Sort the list',
		tasks: [
			buildTask('sort', {title: 'Sort', status: 'completed', agentId: 'r'}),
			buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''}),
		],
		runs: [buildRun('r', {taskId: 'sort', status: 'completed', summary: 'Sorted by name.'})],
	});

	it('show the beginning of the diff once it is read, and nothing else moves', async () => {
		let deliver: (facts: SheetFacts) => void = () => undefined;
		const reading = new Promise<SheetFacts>(resolve => {
			deliver = resolve;
		});
		driver = await drive({columns: 200, rows: 50}, {...world(short), sheetFacts: () => reading});
		const before = paneRows(driver.screen());
		const used = before.findLastIndex(row => row.trim() !== '') + 1;
		expect(used).toBeLessThan(before.length / 2);
		deliver(read);
		await driver.settled();
		const after = paneRows(driver.screen());
		const kept = before.findIndex(row => row.includes('reading…'));
		expect(after.slice(0, kept)).toEqual(before.slice(0, kept));
		const title = after.findIndex(row => row.includes('Diff'));
		expect(after[title]).toMatch(/^─ Diff, first \d+ of 33 rows · v opens all of it ─+$/);
		expect(after[title + 1]).toContain('migrations/014_oauth.sql +4 -1');
		expect(after.filter(row => row.trim() === '')).toEqual([]);
	});

	it('show no diff beside that of the review tab, but the files with the marks of the person', async () => {
		driver = await drive({columns: 200, rows: 50}, world(short));
		driver.press('3');
		await driver.settled();
		expect(paneRows(driver.screen()).join('\n')).toMatch(/Files +migrations\/014_oauth.sql \+4 -1/);
		driver.press('tab', 'tab', 'space');
		expect(paneRows(driver.screen()).join('\n')).toMatch(
			/Files +✓ migrations\/014_oauth.sql \+4 -1, reviewed/,
		);
		expect(driver.screen().match(/@@ -1,4 \+1,6 @@/g) ?? []).toHaveLength(0);
		expect(driver.screen()).not.toContain('v opens');
	});

	it('show the diff where it has no pane of its own', async () => {
		driver = await drive({columns: 80, rows: 24}, world(short));
		driver.press('3');
		await driver.settled();
		expect(paneRows(driver.screen()).join('\n')).toMatch(/Diff, first \d of 33 rows · v opens all of it/);
	});

	it.each([
		['traces', []],
		['review', ['3']],
	])('name the key that opens the whole diff, which works in the %s tab', async (_, keys) => {
		driver = await drive({columns: 80, rows: 24}, world(scene, short));
		driver.store.dispatch(select('traces', 's'));
		driver.store.dispatch(select('queue', 's/_review'));
		driver.press(...keys);
		await driver.settled();
		driver.press('v');
		await driver.settled();
		const {tab, focus, selected} = driver.store.getState();
		expect([tab, focus.review, selected.queue]).toEqual(['review', 'diff', 's/_review']);
		expect(driver.screen()).toContain('@@ -1,4 +1,6 @@');
	});

	it('stay empty if nothing waits for a decision, and the key says so', async () => {
		const trace = buildTrace('w', {
			tasks: [buildTask('a', {status: 'running', agentId: 'r'})],
			runs: [buildRun('r', {taskId: 'a'})],
		});
		driver = await drive({columns: 200, rows: 50}, world(trace));
		await driver.settled();
		driver.press('v');
		expect(driver.screen()).toContain('Nothing here waits for your review.');
		expect(driver.screen()).not.toContain('opens it');
	});
});
