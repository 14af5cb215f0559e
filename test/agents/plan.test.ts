import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, test} from 'vitest';
import {createActivityReader} from '../../source/agents/activity.ts';
import {adapterOf} from '../../source/agents/adapter.ts';
import type {AdapterName} from '../../source/colony/colony.ts';
import {createRedactor} from '../../source/domain/redact.ts';

const readerFor = (adapter: AdapterName) => {
	const redact = createRedactor(['sesame-42']);
	return createActivityReader(adapterOf(adapter).read, {workspace: '/home/bee/work', redact});
};

/** The plans that an output shows, each as `[x] done, [>] active, [ ] open`, without repetitions. */
const plansIn = (adapter: AdapterName, lines: readonly string[]): string[] => {
	const reader = readerFor(adapter);
	const marks = {done: '[x]', active: '[>]', open: '[ ]'};
	return lines
		.map(line => {
			reader.push(Buffer.from(`${line}\n`));
			return (
				reader
					.now()
					.plan?.map(({text, status}) => `${marks[status]} ${text}`)
					.join(', ') ?? ''
			);
		})
		.filter((plan, at, plans) => plan !== '' && plan !== plans[at - 1]);
};

const recorded = (tool: string): string[] =>
	readFileSync(join(import.meta.dirname, 'streams', tool, 'plan.ndjson'), 'utf8')
		.trim()
		.split('\n');

describe('the plan in a recorded stream', () => {
	const newest = '[x] Read the notes, [x] Write the greeting, [>] Check the greeting';

	it.each([
		['gemini', 'gemini'],
		['opencode', 'opencode'],
	] as const)('of %s is the newest list', (tool, adapter) => {
		expect(plansIn(adapter, recorded(tool))).toEqual([
			'[>] Read the notes, [ ] Write the greeting, [ ] Check the greeting',
			'[x] Read the notes, [>] Write the greeting, [ ] Check the greeting',
			newest,
		]);
	});

	it('of claude is put together from calls for single steps', () => {
		const plans = plansIn('claude', recorded('claude'));
		expect(plans.slice(0, 4)).toEqual([
			'[ ] Read the notes',
			'[ ] Read the notes, [ ] Write the greeting',
			'[ ] Read the notes, [ ] Write the greeting, [ ] Check the greeting',
			'[>] Read the notes, [ ] Write the greeting, [ ] Check the greeting',
		]);
		expect(plans.at(-1)).toBe(newest);
	});

	it('of codex has no active step, since its stream names none', () => {
		expect(plansIn('codex', recorded('codex'))).toEqual([
			'[ ] Read the notes, [ ] Write the greeting, [ ] Check the greeting',
			'[x] Read the notes, [ ] Write the greeting, [ ] Check the greeting',
			'[x] Read the notes, [x] Write the greeting, [ ] Check the greeting',
		]);
	});
});

const calling = (name: string, input: object, {id = 'c', parent = null as string | null} = {}): string =>
	JSON.stringify({
		...{type: 'assistant', parent_tool_use_id: parent},
		message: {content: [{type: 'tool_use', id, name, input}]},
	});
const answering = (content: string, {id = 'c', is_error = false} = {}): string =>
	JSON.stringify({
		type: 'user',
		message: {content: [{type: 'tool_result', tool_use_id: id, content, is_error}]},
	});
const todos = (...texts: string[]) => ({todos: texts.map(content => ({content, status: 'pending'}))});

test('a plan that the tool refused is not shown, and the one before it stays', () => {
	const lines = [
		...[calling('TodoWrite', todos('One')), answering('ok')],
		...[calling('TodoWrite', todos('Two')), answering('No such tool available', {is_error: true})],
	];
	expect(plansIn('claude', lines)).toEqual(['[ ] One']);
});

test('the plan of a subagent is not that of its agent', () => {
	const lines = [
		...[calling('TodoWrite', todos('Mine')), answering('ok')],
		...[calling('TodoWrite', todos('Its own'), {id: 'd', parent: 'c'}), answering('ok', {id: 'd'})],
	];
	expect(plansIn('claude', lines)).toEqual(['[ ] Mine']);
});

test('a step that was cancelled or deleted is no longer in the plan', () => {
	const cancelled = {todos: [...todos('One').todos, {content: 'Two', status: 'cancelled'}]};
	expect(plansIn('claude', [calling('TodoWrite', cancelled), answering('ok')])).toEqual(['[ ] One']);
	const lines = [
		...[calling('TaskCreate', {subject: 'One'}), answering('Task #7 created successfully: One')],
		...[calling('TaskUpdate', {taskId: '7', status: 'deleted'}), answering('ok')],
	];
	const reader = readerFor('claude');
	reader.push(Buffer.from(`${lines.join('\n')}\n`));
	expect(reader.now()).not.toHaveProperty('plan');
});

test('alpha changes single steps of its list', () => {
	const call = (subtype: string, args: object) =>
		JSON.stringify({
			...{type: 'tool_call', subtype, call_id: 'c'},
			tool_call: {updateTodosToolCall: {args, result: {success: {}}}},
		});
	const all = {
		todos: [
			{id: '1', content: 'One', status: 'TODO_STATUS_IN_PROGRESS'},
			{id: '2', content: 'Two', status: 'TODO_STATUS_PENDING'},
		],
	};
	const merged = {merge: true, todos: [{id: '1', status: 'TODO_STATUS_COMPLETED'}]};
	expect(
		plansIn('alpha', [
			call('started', all),
			call('completed', all),
			call('started', merged),
			call('completed', merged),
		]),
	).toEqual(['[>] One, [ ] Two', '[x] One, [ ] Two']);
});

test('a plan is bounded, redacted and on one line for each step', () => {
	const hostile = todos(`a\nb \u001b[31mred sesame-42 ${'x'.repeat(300)}`, ...Array<string>(80).fill('More'));
	const reader = readerFor('claude');
	reader.push(Buffer.from(`${calling('TodoWrite', hostile)}\n${answering('ok')}\n`));
	const {plan = []} = reader.now();
	expect(plan).toHaveLength(50);
	expect(plan[0]?.text).toHaveLength(200);
	expect(plan[0]?.text).toMatch(/^a b red \[redacted\] x+…$/);
});

test('any name and input of a tool is read without an error', () => {
	const reader = readerFor('claude');
	for (const name of ['constructor', '__proto__', 'TodoWrite', 'TaskUpdate'])
		for (const input of [null, [], {}, {todos: 'x', taskId: 4}, {todos: [null, 1, {content: 1, status: {}}]}])
			reader.push(Buffer.from(`${calling(name, input as object)}\n${answering('ok')}\n`));
	expect(reader.now().plan).toEqual([{text: '', status: 'open'}]);
});
