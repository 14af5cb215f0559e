import {afterEach, describe, expect, it} from 'vitest';
import {decidedTitle, fullTitle, traceTitle, withTitles} from '../../source/dashboard/store/names.ts';
import {accepted} from '../../source/domain/errors.ts';
import {buildInvite, buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

const traceId = 'trace-019a8b7c3f9a1c02';
const taskId = 'task-019a8b7c3f9a1c03';
const agentId = '5d2f91aa00bb11cc';
const task = buildTask(taskId, {title: 'Sort the list', status: 'failed'});
const trace = buildTrace(traceId, {
	title: 'Dark theme',
	tasks: [task, buildTask('ui', {title: 'Draw it'})],
	runs: [buildRun(agentId, {taskId})],
	invites: [buildInvite('inv-019a8b7c3f9a1c04')],
});
const twin = buildTrace('trace-019a8b7c3f9affff', {title: 'Dark theme'});

let driver: Driver | undefined;
afterEach(() => driver?.stop());

describe('the title of a trace or task', () => {
	it('has no id, unless another one has the same title', () => {
		expect(traceTitle(mapOf(trace), trace)).toBe('Dark theme');
		expect(traceTitle(mapOf(trace, twin), trace)).toBe('Dark theme …3f9a1c02');
		expect(fullTitle(mapOf(trace), trace, task)).toBe('Sort the list · Dark theme');
		const both = buildTrace(traceId, {
			title: 'Dark theme',
			tasks: [task, buildTask('other', {title: 'Sort the list'})],
		});
		expect(fullTitle(mapOf(both), both, task)).toBe('Sort the list …3f9a1c03 · Dark theme');
	});

	it('is the title of the trace at a final gate', () => {
		expect(decidedTitle(mapOf(trace), trace, buildTask('_review', {review: 'final'}))).toBe('Dark theme');
	});

	it("replaces every id in an action's message, except in commands and names of bees", () => {
		const said = (text: string, about: object = {traceId, taskId}): string =>
			withTitles(text, mapOf(trace), about);
		expect(said(`Killed ${traceId}: 2 tasks cancelled, 1 run stopped.`)).toBe(
			'Killed Dark theme: 2 tasks cancelled, 1 run stopped.',
		);
		expect(said(`Task ${taskId} is ready again. Run ${agentId} is stopped.`)).toBe(
			'Task Sort the list is ready again. Run builder is stopped.',
		);
		expect(said('The bee ui runs again for ui.', {traceId, taskId: 'ui'})).toBe(
			'The bee ui runs again for Draw it.',
		);
		expect(said(`Froze 1 run of ${traceId}; "hive thaw --trace ${traceId}".`)).toBe(
			`Froze 1 run of Dark theme; "hive thaw --trace ${traceId}".`,
		);
		expect(said('Rejected inv-019a8b7c3f9a1c04.')).toBe('Rejected the invite to drone.');
		expect(said('Nothing of it is known: trace-0000000000000000.')).toContain('trace-0000000000000000');
	});
});

describe('a dialog and its result', () => {
	const world = (...traces: (typeof trace)[]) => ({
		follow: (
			_: AbortSignal,
			call: (update: {traces: ReadonlyMap<string, typeof trace>; events: []}) => void,
		) => call({traces: mapOf(...traces), events: []}),
		act: async () => accepted({said: `Killed ${traceId}: 1 task cancelled, 0 runs stopped.`, traceId}),
	});

	it('distinguish two traces of the same title', async () => {
		driver = await drive(undefined, world(trace, twin));
		driver.press('K');
		expect(driver.screen()).toMatch(/Kill Dark theme …3f9a(1c02|ffff)/);
	});

	it('contain no id if titles are unique', async () => {
		driver = await drive(undefined, world(trace));
		driver.press('K');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.screen()).toContain('Killed Dark theme: 1 task cancelled');
		const {notices} = driver.store.getState();
		expect(notices.map(({text}) => text).join()).not.toContain('trace-');
	});
});
