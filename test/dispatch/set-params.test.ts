import {describe, expect, it} from 'vitest';
import {startOf} from '../../source/agents/adapter.ts';
import {withParams} from '../../source/dispatch/set-params.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {sampleInvocation} from '../agents/invocation.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {createEvent, item, planOf, statusOf} from '../helpers/events.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const colony = await colonyFrom({'colony.yaml': 'slug: shop\ndefaults: {plan_params: [model]}\n'});
const claude = sampleInvocation({adapter: 'claude', params: {model: 'haiku', args: ['--further']}});
const own = {hasCommand: false};

describe('the params of a run', () => {
	it('come from the bee, then the request, then the plan', () => {
		const modelWith = (given: Parameters<typeof withParams>[2]) =>
			withParams(colony, claude.bee, given, own).bee.params.model;
		expect(modelWith({})).toBe('haiku');
		expect(modelWith({trace: {model: 'sonnet'}})).toBe('sonnet');
		expect(modelWith({trace: {model: 'sonnet'}, request: {model: 'mini'}})).toBe('mini');
		expect(modelWith({trace: {model: 'sonnet'}, task: {model: 'opus'}})).toBe('opus');
	});

	it('reach the arguments of claude, also where it resumes a session', () => {
		const {bee, warnings} = withParams(colony, claude.bee, {task: {model: 'opus'}}, own);
		expect(warnings).toEqual([]);
		const argv = (more: object) => expectAccepted(startOf({...claude, ...more, bee})).argv.join(' ');
		expect(argv({})).toMatchInlineSnapshot(
			`"claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash,Read,Glob,Grep --model opus --further"`,
		);
		expect(argv({resume: '5d1e'})).toMatchInlineSnapshot(
			`"claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash,Read,Glob,Grep --model opus --resume 5d1e --further"`,
		);
	});

	it('lack those that the colony does not allow, with a warning that names each', () => {
		const {bee, warnings} = withParams(
			colony,
			claude.bee,
			{trace: {thinking: 'high'}, task: {model: 'opus', args: '--yolo'}},
			own,
		);
		expect(bee.params).toEqual({model: 'opus', args: ['--further']});
		expect(warnings).toEqual([
			'The param "thinking" of the request is left out: defaults.plan_params of .hive/colony.yaml does not name it.',
			'The param "args" of the plan is left out: defaults.plan_params of .hive/colony.yaml does not name it.',
		]);
	});

	it('have no effect beside a command, with a warning only where they were set for this run', () => {
		const scriptBee = {...claude.bee, command: ['true']};
		const given = {trace: {model: 'sonnet'}, task: {model: 'opus'}};
		expect(withParams(colony, scriptBee, given, {hasCommand: true})).toEqual({
			bee: scriptBee,
			warnings: ['The param "model" of the plan is ignored: maker has a "command".'],
		});
	});
});

const tool = {
	...{adapter: 'alpha', params: {model: 'refused'}, prompt_template: 'do.md'},
	...{worktree: true, publishes: publishesIsolated},
};

const rigWith = (planParams: readonly string[]) =>
	createRig({
		bees: {builder: tool, script: scripted('true', {worktree: true})},
		settings: {defaults: {plan_params: planParams}},
		files: {'.hive/cache/topped-up': ''},
	});

describe('a run of a task whose plan names a model', () => {
	it('has that model instead of the model of its bee', async () => {
		const rig = await rigWith(['model']);
		await rig.say(planOf({...item('one'), params: {model: 'feature'}}));
		const {run} = await rig.run('builder');
		expect(run).toMatchObject({status: 'completed'});
		expect(run.warnings ?? []).toEqual([]);
	});

	it('has it also where it resumes the session of its tool', async () => {
		const rig = await rigWith(['model']);
		await rig.say(planOf({...item('one'), params: {model: 'limited'}}));
		await rig.run('builder');
		await rig.say(statusOf('one', 'waiting_review'));
		await rig.say(createEvent('INSIGHT', {kind: 'human.feedback', taskId: 'one', message: 'Once more.'}));
		const {agentId} = await rig.run('builder');
		const argv: string[] = JSON.parse(await rig.text(agentId, 'arguments.json'));
		expect(argv).toContain('--resume');
		expect(argv[argv.indexOf('--model') + 1]).toBe('limited');
	});

	it('has the model of its bee, and a warning, if the colony does not allow it any more', async () => {
		const rig = await rigWith([]);
		await rig.say(planOf({...item('one'), params: {model: 'feature'}}));
		const {run} = await rig.run('builder');
		expect(run).toMatchObject({status: 'failed', warnings: [expect.stringContaining('"model" of the plan')]});
	});
});

it('a run in a trace whose request names a model has that model', async () => {
	const rig = await rigWith(['model']);
	const params = {model: 'feature'};
	await rig.say(createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add it', params}));
	expect((await rig.run('builder')).run).toMatchObject({status: 'completed'});
});
