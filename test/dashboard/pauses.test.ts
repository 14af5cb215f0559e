import {afterEach, describe, expect, it} from 'vitest';
import {formatCountdown} from '../../source/dashboard/parts/format.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {localTime} from '../../source/host/views/local-time.ts';
import {buildRun, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver.stop());

const until = new Date(noon + 47 * 60_000).toISOString();
const time = localTime(until).slice(0, -3);

const worldWith = (trace: Trace, change: Partial<DashboardServices> = {}): Partial<DashboardServices> => ({
	follow: (_, call) => call({traces: mapOf(trace), events: []}),
	...change,
});

const paused = buildTask('api', {
	status: 'blocked',
	pausedUntil: until,
	summary: 'Usage limit reached.',
	agentId: 'r1',
});
const limited = {status: 'failed', pausedUntil: until, exitCode: 1, summary: 'Usage limit reached.'} as const;

describe("a task that is paused by a tool's limit", () => {
	it('is shown as paused with its time and the title of its trace, and counts as no failure', async () => {
		const run = buildRun('r1', {...limited, taskId: 'api'});
		driver = await drive(
			undefined,
			worldWith(buildTrace('t', {title: 'Add a theme', tasks: [paused], runs: [run]}), {
				waits: async () => [],
			}),
		);
		const screen = driver.screen();
		expect(screen).toContain(`‖ paused ${time}`);
		expect(screen).toContain(`until ${time}`);
		expect(screen).toMatch(/‖ +Add a theme/);
		expect(screen).toMatch(/builder +‖ paused/);
		expect(screen).not.toContain('last failure');
	});

	it.each([
		[12 * 60_000, 'in 12m'],
		[125 * 60_000, 'in 2h05m'],
		[1000, 'in 1m'],
		[0, 'now'],
	])('counts down: %d ms before it goes on, that is "%s"', (left, countdown) => {
		expect(formatCountdown(until, Date.parse(until) - left)).toBe(`${time}, ${countdown}`);
	});

	it('is retried at once with t, without another question', async () => {
		driver = await drive(undefined, worldWith(buildTrace('t', {tasks: [paused]})));
		driver.press('tab', 't');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{action: 'task.retry', input: {traceId: 't', taskId: 'api', expected: {status: 'blocked'}}},
		]);
	});
});

describe('a request without tasks', () => {
	const planning = (change: object) =>
		buildTrace('t', {
			runs: [buildRun('r1', {bee: 'scout', trigger: 1, answers: 'feature.requested', ...change})],
		});

	it('shows what it waits for, and has its planning repeated with t', async () => {
		const what = 'scout: the limit of its tool, which passes at noon';
		driver = await drive(
			undefined,
			worldWith(planning({...limited, replaced: true}), {
				waits: async ({taskId}) => (taskId === '' ? [{for: 'limit', what, next: 'wait'}] : []),
			}),
		);
		await driver.settled();
		expect(driver.screen()).toContain('No tasks yet. The request waits for');
		expect(driver.screen()).toContain(what);
		driver.press('t');
		await driver.settled();
		expect(driver.asked).toEqual([{action: 'bee.retry', input: {agentId: 'r1'}}]);
	});

	it('names the retry key if its planning failed, and none while it runs or after success', async () => {
		driver = await drive(undefined, worldWith(planning({status: 'failed'}), {waits: async () => []}));
		expect(driver.screen()).toContain('t retries it');
		driver.press('t');
		expect(driver.screen()).toContain('What should be different (optional):');
		driver.wait(300);
		driver.type('Only the server.');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toEqual([
			{action: 'bee.retry', input: {agentId: 'r1', feedback: 'Only the server.'}},
		]);
		for (const status of ['running', 'completed']) {
			driver.stop();
			driver = await drive(undefined, worldWith(planning({status}), {waits: async () => []}));
			driver.press('t');
			await driver.settled();
			expect(driver.asked).toEqual([]);
		}
	});
});
