import {expect, test} from 'vitest';
import {loadColony} from '../../source/colony/load-colony.ts';
import {paramNames} from '../../source/colony/parse/bee.ts';
import {refuseSettable, settableParams} from '../../source/colony/plan-params.ts';
import {validateInTrace} from '../../source/colony/validate-in-trace.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {planOf, reduceAll, traceId} from '../helpers/events.ts';
import {filesInMemory} from './files-in-memory.ts';
import {colonyFrom} from './sample-colony.ts';

const allowing = (names: string) =>
	colonyFrom({
		'colony.yaml': `slug: shop\ndefaults:\n  plan_params: ${names}\n`,
		'bees/builder.yaml': 'adapter: claude\n',
	});

const problemsOf = async (names: string) => {
	const text = `slug: shop\ndefaults:\n  plan_params: ${names}\n`;
	const loaded = await loadColony(filesInMemory({'/repo/.hive/colony.yaml': text}).files, '/repo');
	return loaded.ok ? [] : loaded.refusal.details;
};

const checked = async (event: object, names = '[model]') => {
	const valid = validateInTrace(await allowing(names), emptyTrace(traceId), {traceId, ...event});
	return valid.ok ? [] : valid.refusal.details;
};

const planWith = (...params: unknown[]) => ({
	type: 'INSIGHT',
	payload: {
		kind: 'task.plan',
		tasks: params.map((value, index) => ({taskId: `t${index}`, title: 'Do it', params: value})),
	},
});

test('a colony names the params that a plan may set, and by default allows none', async () => {
	expect((await allowing('[model, thinking]')).defaults.planParams).toEqual(['model', 'thinking']);
	expect((await colonyFrom({})).defaults.planParams).toBeUndefined();
});

test.each([
	'args',
	'force',
	'yolo',
	'binary',
	'mode',
	'trust',
	'plan',
	'read_only',
	'sandbox',
	'approval_mode',
])('a colony that lets plans set %s has a problem, with the line and the reason', async name => {
	expect(await problemsOf(`[model, ${name}]`)).toEqual([
		{
			path: '.hive/colony.yaml:3',
			message: `no plan may set "${name}", which decides what a tool runs or may do`,
			hint: 'Set it in the file of a bee. Plans may set model, provider, thinking.',
		},
	]);
});

test('a colony that names no param of an adapter has a problem, with the nearest name', async () => {
	expect(await problemsOf('[modle]')).toEqual([
		{
			path: '.hive/colony.yaml:3',
			message: 'no adapter has a param "modle"',
			hint: 'Did you mean "model"?',
		},
	]);
	expect(await problemsOf('[output_format]')).toMatchObject([
		{message: 'no plan may set "output_format", which hive relies on'},
	]);
});

test('each param of the adapters is either settable by plans or refused with its reason', () => {
	expect(paramNames).toEqual(expect.arrayContaining([...settableParams]));
	for (const name of paramNames.filter(known => !settableParams.includes(known)))
		expect(refuseSettable(name)?.message).toMatch(/^no plan may set /);
});

test('a plan with allowed params is accepted', async () => {
	expect(await checked(planWith({model: 'opus'}, undefined))).toEqual([]);
});

test('a plan with params that the colony does not allow is refused whole, with each problem', async () => {
	const details = await checked(planWith({model: 'opus', thinking: 'high'}, {args: 'x'}));
	expect(details).toEqual([
		{
			path: 'payload.tasks.0.params.thinking',
			message: 'this colony lets no plan or request set "thinking"',
			hint: 'Allowed: model.',
		},
		{
			path: 'payload.tasks.1.params.args',
			message: 'this colony lets no plan or request set "args"',
			hint: 'Allowed: model.',
		},
	]);
	expect(await checked(planWith({model: 'opus'}), '[]')).toMatchObject([
		{hint: 'It allows none. Name them in defaults.plan_params of .hive/colony.yaml.'},
	]);
});

test.each([
	['a flag', '--yolo', 'must be text that does not start with "-"'],
	['nothing', '', 'must not be empty'],
	['two lines', 'o\npus', 'must be text without control characters'],
	['an escape', '\u001b[2J', 'must be text without control characters'],
	['over 200 characters', 'x'.repeat(201), 'must be at most 200 characters'],
	['no text', true, 'must be text'],
])('a plan whose param is %s is refused', async (_, value, message) => {
	expect(await checked(planWith({model: value}))).toEqual([{path: 'payload.tasks.0.params.model', message}]);
});

test('a plan whose params are no object is refused', async () => {
	expect(await checked(planWith('opus'))).toEqual([
		{path: 'payload.tasks.0.params', message: 'must be an object with texts, such as {"model": "…"}'},
	]);
});

test('a request with params is checked as a plan is, and a kind of the colony may use the field otherwise', async () => {
	const request = (params: unknown, kind = 'feature.requested') => ({
		type: 'SIGNAL',
		payload: {kind, title: 'Add it', params},
	});
	expect(await checked(request({model: 'opus'}))).toEqual([]);
	expect(await checked(request({model: '-x', force: 'yes'}))).toMatchObject([
		{path: 'payload.params.model'},
		{path: 'payload.params.force', hint: 'Allowed: model.'},
	]);
	expect(await checked(request({force: 'yes'}, 'own.kind'))).toEqual([]);
});

test('a plan may be repeated with the same params in any order, not with others', async () => {
	const plan = (params: Readonly<Record<string, string>>) => planOf({taskId: 'a', title: 'Do it', params});
	const trace = reduceAll(plan({model: 'opus', thinking: 'high'}));
	const colony = await allowing('[model, thinking]');
	expect(validateInTrace(colony, trace, plan({thinking: 'high', model: 'opus'})).ok).toBe(true);
	expect(validateInTrace(colony, trace, plan({model: 'opus'}))).toMatchObject({
		refusal: {details: [{message: 'the trace has another task "a"'}]},
	});
});
