import {afterEach, describe, expect, it} from 'vitest';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, type Outcome, refuse} from '../../source/domain/errors.ts';
import type {UnfoldedCall} from '../../source/host/live/live.ts';
import type {LiveChange} from '../../source/host/review/live-change.ts';
import {buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {fixturePreview} from './fixture-world.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver.stop());

const running = buildTrace('t', {
	title: 'Limiter',
	tasks: [buildTask('window', {status: 'running', title: 'Sliding window'})],
	runs: [buildRun('5d2f91aa00bb11cc', {taskId: 'window', workspace: 'isolated'})],
});
const waiting = buildTrace('w', {
	title: 'Docs',
	tasks: [buildTask('_review', {status: 'waiting_review', review: 'final', bee: ''})],
	runs: [buildRun('r', {taskId: 'x', workspace: 'isolated', status: 'completed'})],
});

const changeOf = (...lines: readonly string[]): LiveChange => ({
	...{files: [{path: 'a.ts', added: lines.length, removed: 0}], truncated: false},
	...{fork: 'f'.repeat(40), work: 'e'.repeat(40), readAt: noon},
	patch: [
		...['diff --git a/a.ts b/a.ts', 'index 1a2b3c4..5d6e7f8 100644', '--- a/a.ts', '+++ b/a.ts'],
		...[`@@ -1,0 +1,${lines.length} @@`, ...lines.map(text => `+${text}`), ''],
	].join('\n'),
});

const start = async (change: Partial<DashboardServices> = {}, traces = [running, waiting]) => {
	const calls: {readonly traceId: string; readonly signal: AbortSignal}[] = [];
	let tell: (change: Outcome<LiveChange>) => void = () => undefined;
	driver = await drive(undefined, {
		follow: (_, call) => call({traces: mapOf(...traces), events: []}),
		liveChange: (traceId, signal, call) => {
			calls.push({traceId, signal});
			tell = call;
		},
		...change,
	});
	const show = async (read: Outcome<LiveChange>): Promise<void> => {
		tell(read);
		await driver.settled();
	};
	driver.press('G');
	return {calls, show};
};

const select = (title: string): void => {
	while (!new RegExp(`>. +${title}`).test(driver.screen())) driver.press('k');
};

describe('the live diff', () => {
	it('opens with D in one frame, shows each change, and ends its reads with Esc', async () => {
		const {calls, show} = await start();
		select('Limiter');
		driver.press('D');
		expect(driver.screen()).toContain('Live diff · Limiter');
		expect(driver.screen()).toContain('▶ builder');
		expect(driver.screen()).toContain('Reading the diff…');
		await show(accepted(changeOf('const a = 1;')));
		expect(driver.screen()).toMatch(/1 \+const a = 1;/);
		await show(accepted(changeOf('const a = 1;', 'const b = 2;')));
		expect(driver.screen()).toMatch(/2 \+const b = 2;/);
		expect(driver.screen()).toContain('files changed at');
		driver.press('esc');
		expect(driver.screen()).not.toContain('Live diff');
		expect(calls.map(({traceId, signal}) => [traceId, signal.aborted])).toEqual([['t', true]]);
	});

	it('keeps the cursor at its line while files before it grow', async () => {
		const {show} = await start();
		driver.press('D');
		const both = (...lines: string[]): LiveChange => {
			const first = changeOf(...lines);
			const last = changeOf('the last file');
			return {...first, patch: first.patch + last.patch.replaceAll('a.ts', 'z.ts')};
		};
		await show(accepted(both('one')));
		driver.press('G');
		await show(accepted(both('one', 'two', 'three')));
		expect(driver.screen()).toMatch(/> +1 \+the last file/);
	});

	it('takes no comment, and returns the review to its place', async () => {
		const {show} = await start({preview: async () => accepted(fixturePreview)});
		driver.press('3');
		await driver.settled();
		driver.press('tab', 'tab', 'j', 'j', 'j', 'D');
		await show(accepted(changeOf('one')));
		driver.press('G', 'enter');
		expect(driver.screen()).toContain('the Review tab has those');
		driver.press('space', 'esc');
		expect(driver.store.getState().review).toMatchObject({cursor: 3, reviewed: []});
		expect(driver.screen()).toContain('migrations/014_oauth.sql');
	});

	it('closes with the reason if the worktree cannot be read', async () => {
		const {show} = await start();
		driver.press('D');
		await show(refuse('wrong_status', {message: 'The trace w has no worktree here.', hint: 'Look there.'}));
		expect(driver.screen()).toContain('The trace Docs has no worktree here. Look there.');
		expect(driver.screen()).not.toContain('Live diff');
	});

	it('is not for a trace without a worktree, nor for a run in the checkout', async () => {
		const none = buildTrace('n', {title: 'None', tasks: [buildTask('a', {status: 'ready'})]});
		const rooted = buildTrace('c', {
			title: 'Root',
			tasks: [buildTask('a', {status: 'running'})],
			runs: [buildRun('s', {taskId: 'a', workspace: 'root'})],
		});
		await start({}, [none, rooted]);
		for (const [title, reason] of [
			['None', 'No run of this trace has worked in a worktree.'],
			['Root', 'it works in the checkout itself'],
		] as const) {
			driver.press('G');
			select(title);
			for (const key of ['D', 'O', '!']) {
				driver.press(key);
				expect(driver.screen()).toContain(reason);
			}
		}
	});
});

describe('a worktree', () => {
	const opened = async (planted: readonly string[] = []) => {
		const programs: string[] = [];
		await start({
			worktree: async traceId => accepted({path: `/w/${traceId}`, planted}),
			editFile: async file => void programs.push(`edit ${file}`),
			openShell: async folder => void programs.push(`shell ${folder}`),
		});
		return programs;
	};

	it('opens in the editor with O', async () => {
		const programs = await opened();
		select('Docs');
		driver.press('O');
		await driver.settled();
		expect(programs).toEqual(['edit /w/w']);
	});

	it('gets a shell with !, after y while a run works there', async () => {
		const programs = await opened();
		select('Docs');
		driver.press('!');
		await driver.settled();
		expect(programs).toEqual(['shell /w/w']);
		driver.press('G');
		select('Limiter');
		driver.press('!');
		await driver.settled();
		expect(driver.screen()).toContain('Shell in the worktree of Limiter');
		expect(driver.screen()).toContain('builder is at work there now.');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(programs).toEqual(['shell /w/w', 'shell /w/t']);
	});

	it('gets a shell only after y if git would run planted programs', async () => {
		const programs = await opened(['filter.evil.clean']);
		select('Docs');
		driver.press('!');
		await driver.settled();
		expect(driver.screen()).toContain('git would run programs here');
		driver.wait(300);
		driver.press('esc');
		expect(programs).toEqual([]);
	});
});

describe('a tool call in the log', () => {
	const parts = [
		{text: 'I read it.\n'},
		{text: '> read a.ts\n', call: {from: 10, nth: 0}},
		{text: '  one (+2 lines)\n', call: {from: 10, nth: 0}},
		{text: '> bash npm test\n', call: {from: 90, nth: 0}},
	];
	const openLog = async () => {
		const asked: unknown[] = [];
		let tell: (found: UnfoldedCall) => void = () => undefined;
		await start({
			log: (_run, _signal, call) => call(parts),
			toolCall: ({call}, _signal, answer) => {
				asked.push(call.from);
				tell = answer;
			},
		});
		select('Limiter');
		driver.press('tab', 'tab', 'tab');
		await driver.settled();
		const show = async (...lines: string[]): Promise<void> => {
			tell({lines, isRunning: true});
			await driver.settled();
		};
		return {asked, show};
	};

	it('unfolds with Enter below its line, follows its output, and folds with Esc', async () => {
		const {asked, show} = await openLog();
		expect(driver.screen()).toContain('Enter unfold');
		driver.press('enter');
		await show('Input:', '  command: npm test', 'Output so far:', '  ok 1');
		expect(driver.screen()).toMatch(/> bash npm test +│\n.*│ Input:/);
		await show('Output so far:', '  ok 1', '  \u001b[31mok 2\u001b]0;evil\u0007');
		expect(driver.screen()).toContain('│   ok 2  ');
		expect(driver.screen()).not.toContain('evil');
		driver.press('esc');
		expect(driver.screen()).not.toContain('ok 2');
		expect(driver.screen()).toContain('> bash npm test');
		expect(asked).toEqual([90]);
	});

	it('is the one at the cursor, or the nearest above it', async () => {
		const {asked} = await openLog();
		driver.press('k', 'enter', 'enter', 'enter');
		expect(asked).toEqual([10, 10]);
		driver.press('g', 'k', 'enter');
		expect(driver.screen()).toContain('There is no tool call to unfold here.');
	});
});
