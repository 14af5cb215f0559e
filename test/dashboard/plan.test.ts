import {afterEach, describe, expect, it} from 'vitest';
import {changeSentences} from '../../source/dashboard/screen-reader.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, refuse} from '../../source/domain/errors.ts';
import type {Task} from '../../source/domain/task.ts';
import {buildRun, buildTask, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive} from './screen-of.ts';

let driver: Driver;
afterEach(() => driver?.stop());

const withheld = (taskId: string, change: Partial<Task>): Task =>
	buildTask(taskId, {withheld: true, ...change});

const trace = buildTrace('t1', {
	title: 'Sign in with a passkey',
	request: {sequence: 1, title: 'Sign in with a passkey', body: ''},
	planReview: true,
	plan: {sequence: 7, agentId: 'scout', at: '2026-03-01T14:00:00.000Z'},
	tasks: [
		withheld('api', {title: 'Add the endpoint', body: 'Reuse the session code.\nAnswer 409 twice.'}),
		withheld('docs', {title: 'Document it', review: 'required', dependsOn: ['api']}),
	],
	runs: [buildRun('scout', {bee: 'scout', status: 'completed'})],
});

const open = (columns: number, rows: number, more: Partial<DashboardServices> = {}) =>
	drive({columns, rows}, {follow: (_, call) => call({traces: mapOf(trace), events: []}), ...more});

describe.each([
	[80, 24],
	[120, 36],
	[200, 50],
])('a plan that waits, at %ix%i', (columns, rows) => {
	it.each(['1', '3'])('is whole on the first screen of tab %s, with what a person can do', async tab => {
		driver = await open(columns, rows);
		driver.press(tab);
		await driver.settled();
		const screen = driver.screen();
		for (const words of [
			'Plan of scout, 2 tasks',
			'1. Add the endpoint · by builder',
			'Reuse the session code.',
			'Answer 409 twice.',
			'2. Document it · by builder; after 1; waits for your review',
			'a accepts it, O edits it in your editor, x sends it back to scout',
		])
			expect(screen).toContain(words);
	});
});

describe('the keys of a plan', () => {
	it('accept it, in the state that was shown', async () => {
		driver = await open(120, 36);
		driver.press('3', 'a');
		driver.wait(300);
		await driver.settled();
		expect(driver.screen()).toContain('Starts 2 tasks in their turn.');
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toMatchObject([{action: 'plan.accept', input: {traceId: 't1', plan: 7}}]);
	});

	it('send it back with words, which are needed', async () => {
		driver = await open(120, 36);
		driver.press('3', 'x');
		driver.wait(300);
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.screen()).toContain('Say what should be different.');
		driver.type('Tests first');
		driver.press('ctrl+d');
		await driver.settled();
		expect(driver.asked).toMatchObject([
			{action: 'plan.return', input: {traceId: 't1', plan: 7, body: 'Tests first'}},
		]);
	});

	it('open it in the editor, again with its problems until it is accepted', async () => {
		const texts: string[] = [];
		const plans: unknown[] = [];
		const edits = [
			(text: string) => text.replace('bee: builder', 'bee: plasterer'),
			(text: string) => text.replace('bee: plasterer', 'bee: mason'),
		];
		driver = await open(120, 36, {
			edit: async text => {
				texts.push(text);
				return edits[texts.length - 1]?.(text);
			},
			act: async (_, input) => {
				plans.push(input);
				const details = [{path: 'tasks.0.bee', message: 'there is no bee "plasterer"'}];
				return plans.length === 1
					? refuse('invalid_plan', {details})
					: accepted({said: 'The plan has 2 tasks now.'});
			},
		});
		driver.press('3', 'O');
		await expect.poll(() => plans.length).toBe(2);
		await driver.settled();
		expect(texts[0]).toContain('# The plan of scout for "Sign in with a passkey".');
		expect(texts[1]).toMatch(/^#! tasks\.0\.bee: there is no bee "plasterer"\n#/);
		expect(plans[1]).toMatchObject({
			...{traceId: 't1', plan: 7},
			tasks: [
				{taskId: 'api', bee: 'mason', body: 'Reuse the session code.\nAnswer 409 twice.'},
				{taskId: 'docs', review: 'required', dependsOn: ['api']},
			],
		});
		expect(driver.screen()).toContain('The plan has 2 tasks now.');
	});

	it('change nothing if the editor is left as it was', async () => {
		driver = await open(120, 36, {edit: async text => text});
		driver.press('3', 'O');
		await expect.poll(() => driver.screen()).toContain('You changed nothing.');
		expect(driver.asked).toEqual([]);
	});
});

it('a cue is run with or without a look at its plan, and with params that the colony allows', async () => {
	const cues = (planReview: 'none' | 'required') => [
		{id: 'feature', description: 'Ask for it', planReview, params: ['model']},
	];
	driver = await open(120, 36, {cues: () => cues('none')});
	driver.press('c');
	driver.wait(300);
	driver.type('Add it');
	driver.press('tab');
	driver.type('opus');
	driver.press('tab', 'tab', 'p');
	await driver.settled();
	expect(driver.asked).toEqual([
		{
			action: 'cue.run',
			input: {cueId: 'feature', text: 'Add it', params: {model: 'opus'}, planReview: 'required'},
		},
	]);
	driver.stop();
	driver = await open(120, 36, {cues: () => cues('required')});
	driver.press('c');
	await driver.settled();
	expect(driver.screen()).toContain('n No plan review');
});

it('a screen reader hears of a plan once, and again when it was changed', () => {
	const words = ['Trace t1: a plan of 2 tasks waits for you. "hive plan show --trace t1" shows it.'];
	const before = buildTrace('t1', {
		title: trace.title,
		runs: [buildRun('scout', {bee: 'scout', status: 'completed'})],
	});
	expect(changeSentences(mapOf(before), mapOf(trace))).toEqual(expect.arrayContaining(words));
	expect(changeSentences(mapOf(trace), mapOf(trace))).toEqual([]);
	const edited = {...trace, plan: {sequence: 9, agentId: 'scout', at: trace.updatedAt}};
	expect(changeSentences(mapOf(trace), mapOf(edited))).toEqual(words);
});
