import {describe, expect, it, onTestFinished} from 'vitest';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {ago, buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {drive} from './screen-of.ts';

const open = async (size?: {columns: number; rows: number}, change: Partial<DashboardServices> = {}) => {
	const driver = await drive(size, change);
	onTestFinished(driver.stop);
	return driver;
};

const worldWith = (...traces: Trace[]): Partial<DashboardServices> => ({
	follow: (_signal, call) => call({traces: mapOf(...traces), events: []}),
});

const reason = `exit code 1: the build broke.\n${'A long sentence about it that goes on and on. '.repeat(12)}THE END`;
const failed = buildTrace('trace-1', {
	title: 'Add login',
	tasks: [buildTask('api', {status: 'failed', title: 'Write the routes', summary: reason})],
	runs: [
		buildRun('run-1', {
			...{taskId: 'api', status: 'failed', exitCode: 1, summary: reason},
			...{startedAt: ago(9), finishedAt: ago(8)},
		}),
	],
});

const tabsOf = (screen: string): string => screen.split('\n')[2]?.trimEnd() ?? '';

describe('the detail of a task', () => {
	it('of a planned task opens with Enter, on its dependencies and its history', async () => {
		const driver = await open();
		driver.press('tab', 'end', 'up', 'enter');
		await driver.settled();
		expect(tabsOf(driver.screen())).toBe('[Task] Why');
		expect(driver.screen()).toContain('Work on docs · Add OAuth login');
		expect(driver.screen()).toContain(
			'Partial index on users.oauth_id (db-migration), which is waiting for review',
		);
		driver.press(']');
		expect(driver.screen()).toContain('planned, needs api');
		driver.press('esc');
		expect(driver.screen()).toContain('┌─ Traces');
	});

	it.each([
		[60, 15],
		[80, 24],
		[120, 36],
		[200, 50],
	])('of a failed task opens on the whole reason, at %i x %i', async (columns, rows) => {
		const driver = await open({columns, rows}, worldWith(failed));
		driver.press('tab', 'enter');
		await driver.settled();
		expect(tabsOf(driver.screen())).toMatch(/^\[Failure\] Task/);
		expect(driver.screen()).toContain('builder failed after 1 min · exit 1');
		let read = driver.screen();
		for (let pages = 0; pages < 6; pages++) {
			driver.press('pgdn');
			read += driver.screen();
		}
		expect(read).toContain('THE END');
		expect(read).toContain('npm ERR! 1 failed');
		expect(read).toContain('I could not make the last test pass.');
		for (const row of driver.screen().split('\n')) expect(row).toHaveLength(columns);
	});

	it('shows both outputs of its run, and closing it restores the panes', async () => {
		const driver = await open(undefined, worldWith(failed));
		driver.press('tab', 'enter');
		await driver.settled();
		driver.press('[');
		await driver.settled();
		expect(driver.screen()).toContain('Log builder · stderr');
		expect(driver.screen()).toContain('a warning');
		driver.press('[');
		await driver.settled();
		expect(driver.screen()).toContain('Log builder · stdout');
		driver.press(']', 'esc');
		await driver.settled();
		expect(driver.screen()).toContain('Log builder · stdout');
	});

	it('can be searched, copied and paged part by part', async () => {
		const paged: string[] = [];
		const openPager = async (text: string) => void paged.push(text);
		const driver = await open(undefined, {...worldWith(failed), openPager});
		driver.press('tab', 'enter');
		await driver.settled();
		driver.press('y', 'o');
		await driver.settled();
		expect(driver.copied.at(-1)).toContain('THE END');
		expect(paged.at(-1)).toContain('npm ERR! 1 failed');
		driver.press('/');
		driver.type('nowhere to be found');
		driver.press('enter');
		expect(driver.screen()).toContain('"nowhere to be found" was not found here.');
		driver.press('esc');
		expect(tabsOf(driver.screen())).toContain('[Failure]');
		driver.press('esc');
		expect(driver.screen()).toContain('┌─ Traces');
	});

	it('accepts the same actions as the list', async () => {
		const driver = await open(undefined, worldWith(failed));
		driver.press('tab', 'enter');
		await driver.settled();
		driver.press('t');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'task.retry', input: {traceId: 'trace-1', taskId: 'api'}}]);
	});

	it('shows usage and changes as its trace moves', async () => {
		const driver = await open();
		driver.press('2');
		driver.press(...Array.from({length: 2}, () => 'down'), 'enter');
		await driver.settled();
		expect(tabsOf(driver.screen())).toMatch(/^\[Failure\] Task {2}Why {2}Runs {2}Files {2}Prompt/);
		driver.press(']', ']', ']');
		expect(driver.screen()).toContain('$0.04 · 1.5K tokens (in 1200, out 300');
		driver.press(']');
		expect(driver.screen()).toContain('+42     -3  src/ui/Login.tsx');
		driver.press(']');
		expect(driver.screen()).toContain('Show an error on denied consent.');
	});
});

it('the detail of an open run starts on its output and follows it', async () => {
	const driver = await open();
	driver.press('2', 'enter');
	await driver.settled();
	expect(tabsOf(driver.screen())).toContain('[Output]');
	driver.tell.log('and one line more\n');
	await driver.settled();
	expect(driver.screen()).toContain('and one line more');
});

it('the detail of a trace has its runs as bars on one time line', async () => {
	const driver = await open({columns: 100, rows: 30});
	driver.press('i');
	await driver.settled();
	expect(tabsOf(driver.screen())).toBe('[Trace] Runs  Timeline');
	driver.press('[');
	const bars = driver
		.screen()
		.split('\n')
		.filter(row => row.includes('█'));
	expect(bars).toHaveLength(4);
	const starts = bars.map(row => row.indexOf('█'));
	expect(starts).toEqual(starts.toSorted((one, other) => one - other));
	expect(bars.at(-1)).toMatch(/Work on ui +builder .* ▶ 2 min 42 s/);
	const ends = /(\d\d):(\d\d):\d\d +(\d\d):(\d\d):\d\d/;
	expect(driver.screen().split('\n')[4]).toMatch(ends);
});

it('the detail of a request without tasks opens with Enter, on the reason why its planning failed', async () => {
	const planning = buildRun('run-1', {
		...{bee: 'planner', status: 'failed', exitCode: 4, summary: reason},
		...{startedAt: ago(9), finishedAt: ago(8)},
	});
	const driver = await open(
		undefined,
		worldWith(buildTrace('trace-1', {title: 'Add login', runs: [planning]})),
	);
	driver.press('enter', 'enter');
	await driver.settled();
	expect(tabsOf(driver.screen())).toMatch(/^\[Failure\] Trace/);
	expect(driver.screen()).toContain('THE END');
});

it('Tab moves between the parts of a detail, as the brackets do, and the footer names one of them', async () => {
	const driver = await open();
	driver.press('i');
	await driver.settled();
	driver.press('tab');
	expect(tabsOf(driver.screen())).toBe(' Trace [Runs] Timeline');
	driver.press('shift+tab');
	expect(tabsOf(driver.screen())).toBe('[Trace] Runs  Timeline');
	expect(driver.screen()).toContain('] part');
	expect(driver.screen()).not.toContain('Tab pane');
});

it('the number of a tab leaves a detail', async () => {
	const driver = await open();
	driver.press('i', '4');
	await driver.settled();
	expect(driver.screen()).toContain('┌─ Events');
});

describe('the row of an open run', () => {
	it('shows its current tool, the time since its last output and its usage so far', async () => {
		const driver = await open({columns: 160, rows: 45});
		driver.tell.doing(
			new Map([
				[
					'5d2f91aa00bb11cc',
					{
						...{tool: 'Edit', about: 'src/ui/Login.tsx', spokeAt: noon - 12_000},
						used: {inputTokens: 12_000, outputTokens: 300, costUsd: 0.04},
					},
				],
			]),
		);
		await driver.settled();
		expect(driver.screen()).toMatch(/▶ running 2:42 .*[⠋⠙⠸⠴⠦⠇] 0:12 Ed/);
		driver.press('2');
		expect(driver.screen()).toContain('0:12 Edit src/ui/Login.tsx · $0.04 · 12.3K tokens');
	});

	it.each([
		[80, 24],
		[120, 36],
		[160, 45],
	])('shows its whole cost so far at %ix%i, whatever its activity', async (columns, rows) => {
		const driver = await open({columns, rows});
		const about = 'packages/console/source/components/login-form/login-form.tsx';
		const used = {inputTokens: 12_000, costUsd: 12.34};
		driver.tell.doing(new Map([['5d2f91aa00bb11cc', {tool: 'Edit', about, used, spokeAt: noon - 12_000}]]));
		await driver.settled();
		driver.press('tab');
		expect(driver.screen()).toMatch(/▶ running 2:42 .*[⠋⠙⠸⠴⠦⠇] .*· \$12\.34/);
		driver.press('2');
		expect(driver.screen()).toMatch(/[⠋⠙⠸⠴⠦⠇] 0:12.*\$12\.34/);
	});

	it('states that a task waits for a slot, and how many slots there are', async () => {
		const ready = buildTrace('trace-1', {tasks: [buildTask('api', {status: 'ready'})]});
		const driver = await open({columns: 160, rows: 45}, worldWith(ready));
		driver.tell.status({
			...{reactor: 'here', bus: {state: 'live'}, places: []},
			slots: {taken: 4, total: 4},
		});
		await driver.settled();
		expect(driver.screen()).toContain('4 of 4 agents running, waits for its turn');
	});
});

it('a wrapped log shows all its columns, even if it was scrolled sideways before', async () => {
	const driver = await open(undefined, worldWith(failed));
	driver.press('tab', 'tab', 'tab');
	driver.tell.log('the first words of this line\n');
	await driver.settled();
	driver.press('right');
	expect(driver.screen()).not.toContain('the first words');
	driver.press('w');
	expect(driver.screen()).toContain('the first words of this line');
	driver.press('right', 'w');
	expect(driver.screen()).toContain('t words of this line');
});
