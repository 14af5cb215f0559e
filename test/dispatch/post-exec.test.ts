import {expect, test} from 'vitest';
import {runPostExec} from '../../source/dispatch/post-exec.ts';
import type {Clock} from '../../source/ports/clock.ts';
import {sampleInvocation} from '../agents/invocation.ts';
import {isRunning} from '../drivers/processes-rig.ts';
import {createRig, scripted, traceId} from './rig.ts';

const hook = (script: string, more: object = {}) =>
	scripted('echo "Made \\"it\\""', {post_exec: ['sh', '-c', script], ...more});

test('post_exec has the result and the variables of the run, and runs once', async () => {
	const rig = await createRig({
		bees: {
			maker: hook(
				'printf "%s|%s|%s|%s\\n" "$RESULT" "$(cat "$RESULT_FILE")" "$TASK_ID" "$META" >>"$RUN_DIR/hooked"; pwd >>"$RUN_DIR/hooked"',
			),
		},
	});
	const {agentId} = await rig.run('maker');
	const directory = rig.directoryOf(agentId);
	const words = `Made "it"|Made "it"|one|${directory}/meta.json\n${rig.root}\n`;
	expect(await rig.text(agentId, 'hooked')).toBe(words);
	await rig.collect(agentId);
	expect(await rig.text(agentId, 'hooked')).toBe(words);
});

test('the arguments of post_exec are rendered without a shell', async () => {
	const rig = await createRig({
		bees: {
			maker: scripted('echo "a; touch owned $HIVE_TRACE_ID"', {
				post_exec: ['sh', '-c', 'printf "%s" "$1" >"$2"', 'sh', '$RESULT', '$RUN_DIR/hooked'],
			}),
		},
	});
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'hooked')).toBe(`a; touch owned ${traceId}`);
});

test('a failing post_exec is noted and changes nothing', async () => {
	const rig = await createRig({
		bees: {maker: hook('echo "no network" >&2; exit 4'), typist: hook('', {post_exec: ['no-such-tool']})},
	});
	const {run, status, result} = await rig.run('maker');
	expect(run).toMatchObject({status: 'completed', summary: 'Made "it"'});
	const words = ['post_exec ended with exit code 4: no network'];
	expect([status.warnings, result.warnings]).toEqual([words, words]);
	expect(status).not.toHaveProperty('error');
	expect(run.warnings).toEqual(words);
	const other = await rig.run('typist', 'two');
	expect(other.status.warnings).toEqual([expect.stringContaining('post_exec ended with exit code 127')]);
});

test('post_exec runs after a failed run too, but not after a stopped run', async () => {
	const rig = await createRig({
		bees: {
			maker: scripted('sleep "$(cat "$HIVE_COLONY_ROOT/pause")"; exit 1', {
				post_exec: ['touch', '$RUN_DIR/hooked'],
			}),
		},
	});
	await rig.repository.write('pause', '0');
	expect(await rig.text((await rig.run('maker')).agentId, 'hooked')).toBe('');
	await rig.repository.write('pause', '600');
	const agentId = await rig.begin('maker', 'two');
	await rig.dispatcher.stop(...(await rig.runOf(agentId)), 'killed');
	await rig.ended(agentId);
	await rig.collect(agentId);
	await expect(rig.text(agentId, 'hooked')).rejects.toThrow('ENOENT');
});

test('a post_exec that takes too long is stopped with its process tree', async () => {
	const rig = await createRig({bees: {maker: scripted('true')}});
	const {agentId} = await rig.run('maker');
	const invocation = sampleInvocation(
		{postExec: ['sh', '-c', 'sleep 600 & echo $! >"$RUN_DIR/child"; wait']},
		{...{traceId, agentId, colonyRoot: rig.root}, runDir: rig.directoryOf(agentId), workspace: rig.root},
	);
	const clock: Clock = {
		...rig.ports.clock,
		after: (_, call) => {
			void rig.appears(agentId, 'child').then(call);
			return () => {};
		},
	};
	const plain = {
		argv: (argv: readonly string[]) => argv,
		env: (env: Readonly<Record<string, string>>) => env,
	};
	expect(await runPostExec({...rig.ports, bus: rig.context.bus, clock}, invocation, '', plain)).toBe(
		'post_exec was stopped after 60 s',
	);
	expect(isRunning(Number(await rig.text(agentId, 'child')))).toBe(false);
});
