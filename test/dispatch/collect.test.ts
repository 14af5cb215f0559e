import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {redacting} from '../../source/dispatch/redacting.ts';
import {warningsForLog} from '../../source/dispatch/warnings-for-log.ts';
import {redacted} from '../../source/domain/redact.ts';
import {maxWarningLength, maxWarnings} from '../../source/domain/run.ts';
import {isRunning} from '../drivers/processes-rig.ts';
import {createRig, publishesIsolated, scripted} from './rig.ts';

const builder = (script: string, more: object = {}) =>
	scripted(script, {worktree: true, publishes: publishesIsolated, ...more});

describe('a run that succeeds', () => {
	test('emits each of its events on the log once and in order, marked as its own', async () => {
		const rig = await createRig({bees: {maker: builder('echo new >new.txt; echo Made it')}});
		const {agentId, run, result, status} = await rig.run('maker');
		expect(run).toMatchObject({status: 'completed', exitCode: 0, summary: 'Made it'});
		expect(result).toMatchObject({
			status: 'completed',
			summary: 'Made it',
			artifacts: [{kind: 'diff', path: 'changes.diff'}, {kind: 'log'}, {kind: 'log'}],
			diagnostics: {exitCode: 0, error: ''},
		});
		expect(status).toMatchObject({state: 'completed', exitCode: 0});
		const kinds = async () => (await rig.events()).map(({payload}) => payload.kind).slice(3);
		const said = ['run.summary', 'code.proposal.isolated', 'run.finished'];
		expect(await kinds()).toEqual(said);
		expect(await rig.audit(agentId)).toEqual(['run.summary', 'code.proposal.isolated']);
		await rig.collect(agentId);
		expect(await kinds()).toEqual(said);
		expect(await rig.audit(agentId)).toEqual(['run.summary', 'code.proposal.isolated']);
	});

	test('keeps its directory and its raw output from other users', async () => {
		const rig = await createRig({bees: {maker: scripted('echo hi')}});
		const {agentId} = await rig.run('maker');
		expect(await rig.modeOf(rig.directoryOf(agentId))).toBe('700');
		expect(await rig.modeOf(join(rig.directoryOf(agentId), 'stdout.log'))).toBe('600');
		expect(await rig.modeOf(join(rig.directoryOf(agentId), 'stderr.log'))).toBe('600');
	});

	test('is summarised by its own summary.md, and proposes nothing when it changed nothing', async () => {
		const rig = await createRig({
			bees: {maker: builder('echo noise; printf "The point.\\n" >"$HIVE_RESULT_FILE"')},
		});
		const {agentId, run} = await rig.run('maker');
		expect(run.summary).toBe('Changed nothing: The point.');
		expect(await rig.text(agentId, 'summary.md')).toBe('The point.\n');
		expect(await rig.events('code.proposal.isolated')).toEqual([]);
	});

	test('may still write its summary to result.txt', async () => {
		const rig = await createRig({
			bees: {maker: scripted('echo noise; echo "As before" >"$HIVE_RUN_DIR/result.txt"')},
		});
		expect((await rig.run('maker')).run.summary).toBe('As before');
	});

	test('has its leftover processes stopped, except programs that may keep running', async () => {
		const leave = '(exec sleep 600) & echo "$!" >"$HIVE_RUN_DIR/left"; exit 0';
		const stays =
			'ln -s "$(command -v sleep)" "$HIVE_RUN_DIR/lingerer"; (exec "$HIVE_RUN_DIR/lingerer" 600) & echo "$!" >"$HIVE_RUN_DIR/left"; until [ "$(cat /proc/$!/comm)" = lingerer ]; do :; done';
		const rig = await createRig({
			bees: {messy: scripted(leave), server: scripted(stays)},
			settings: {defaults: {leave_running: ['lingerer']}},
		});
		const isAlive = async (agentId: string) => isRunning(Number(await rig.text(agentId, 'left')));
		const messy = await rig.run('messy');
		expect(messy.run.status).toBe('completed');
		expect(await isAlive(messy.agentId)).toBe(false);
		const server = await rig.run('server', 'two');
		expect(await isAlive(server.agentId)).toBe(true);
	});
});

describe('a run that fails', () => {
	test('reports a missing program and its fix, on the log and in its directory', async () => {
		const rig = await createRig({
			bees: {
				maker: {adapter: 'alpha', prompt_template: 'do.md'},
				typist: {adapter: 'script', command: 'no-such-tool x'},
			},
			machine: {alpha: {binary: 'no-such-alpha'}},
		});
		const {run, status, result} = await rig.look(await rig.begin('maker'));
		const words =
			'no-such-alpha: command not found; install it, or set "binary" in adapters/alpha.yaml of the colony\'s folder in ~/.config/hive';
		expect(run).toMatchObject({status: 'failed', summary: `dispatch error: ${words}`});
		expect(status).toMatchObject({state: 'failed', error: `dispatch error: ${words}`});
		expect(result).toMatchObject({status: 'failed', diagnostics: {error: `dispatch error: ${words}`}});
		const other = await rig.look(await rig.begin('typist', 'two'));
		expect(other.run.summary).toContain(
			'no-such-tool: command not found; install it or fix "command" in .hive/bees/typist.yaml',
		);
	});

	test('reports file, line and nearest field of a prompt that cannot be rendered', async () => {
		const rig = await createRig({
			bees: {maker: scripted('true', {prompt_template: 'typo.md'})},
			files: {'.hive/prompts/typo.md': 'Hello\n{{.TraceTitel}}\n'},
		});
		const {run} = await rig.look(await rig.begin('maker'));
		expect(run.summary).toBe(
			'dispatch error: .hive/prompts/typo.md:2: unknown field ".TraceTitel". Did you mean "TraceTitle"?',
		);
	});

	test('reports its exit code and its last error', async () => {
		const rig = await createRig({
			bees: {maker: builder('echo x >x; echo first >&2; echo "it broke" >&2; exit 3')},
		});
		const {agentId, run, tasks, status, result} = await rig.run('maker');
		expect(run).toMatchObject({status: 'failed', exitCode: 3, summary: 'exit code 3: it broke'});
		expect(tasks.get('one')).toMatchObject({status: 'failed', summary: 'exit code 3: it broke'});
		expect(status).toMatchObject({state: 'failed', exitCode: 3, error: 'exit code 3'});
		expect(result.diagnostics.stderr).toBe('first\nit broke\n');
		expect(await rig.events('run.summary')).toEqual([]);
		expect(await rig.events('code.proposal.isolated')).toEqual([]);
		const kept = await rig.repository.git([
			'show',
			`refs/hive/keep/${(await rig.trace()).traceId}/${agentId}:x`,
		]);
		expect(kept).toBe('x');
	});

	test('reports the signal that killed it, but not a signal that killed a command of its script', async () => {
		const rig = await createRig({
			bees: {
				killed: scripted('echo so far >&2; kill -KILL $$'),
				passing: scripted('sh -c "kill -KILL \\$\\$"; exit $?'),
			},
		});
		const {run, status} = await rig.run('killed');
		const words = 'killed by signal 9 (SIGKILL)';
		expect(run).toMatchObject({status: 'failed', exitCode: 137, summary: `${words}: so far`});
		expect(status).toMatchObject({state: 'failed', exitCode: 137, error: words});
		const passing = await rig.run('passing', 'two');
		expect(passing.status).toMatchObject({state: 'failed', exitCode: 137, error: 'exit code 137'});
	});

	test('names a command that its script did not find', async () => {
		const rig = await createRig({bees: {maker: scripted('no-such-tool')}});
		const {run} = await rig.run('maker');
		expect(run.summary).toMatch(/^a command was not found \(exit code 127\): .*no-such-tool.*not found/);
	});

	test.each([
		['timed out', 'failed'],
		['the trace was killed', 'cancelled'],
	])('that is ended is %s when the reason is: %s', async (reason, status) => {
		const rig = await createRig({bees: {maker: scripted('exec sleep 600')}});
		const agentId = await rig.begin('maker');
		const [trace, run] = await rig.runOf(agentId);
		await rig.dispatcher.stop(trace, run, reason);
		await rig.ended(agentId);
		const collected = await rig.collect(agentId);
		expect(collected.run).toMatchObject({status, summary: expect.stringContaining(reason)});
		expect(collected.status).toMatchObject({state: status, error: reason});
	});

	test('that is stopped at a limit blocks its task, unless it had ended before', async () => {
		const rig = await createRig({bees: {maker: scripted('exec sleep 600'), quick: scripted('true')}});
		for (const [role, taskId, status, run] of [
			['maker', 'one', 'blocked', {status: 'cancelled', limit: 'cost'}],
			['quick', 'two', 'running', {status: 'completed'}],
		] as const) {
			const agentId = await rig.begin(role, taskId);
			if (role === 'quick') await rig.ended(agentId);
			await rig.dispatcher.stop(...(await rig.runOf(agentId)), 'Cost limit reached');
			await rig.ended(agentId);
			const collected = await rig.collect(agentId);
			expect(collected.run).toMatchObject(run);
			expect(collected.tasks.get(taskId)?.status).toBe(status);
		}
		const [said] = (await rig.events('task.status')).filter(({payload}) => payload.taskId === 'one');
		expect(said?.payload).toMatchObject({status: 'blocked', summary: 'Cost limit reached', limit: 'cost'});
	});

	test('has vanished when its supervisor is gone without a recorded exit', async () => {
		const rig = await createRig({bees: {maker: builder('echo half >half.txt; exec sleep 600')}});
		const agentId = await rig.begin('maker');
		const started = async () => JSON.parse(await rig.text(agentId, 'started').catch(() => '{}')).pid;
		await rig.appears(agentId, 'agent');
		process.kill(await started(), 'SIGKILL');
		await rig.ended(agentId);
		const {run, status} = await rig.collect(agentId);
		expect(run).toMatchObject({status: 'failed', exitCode: -1, summary: expect.stringContaining('vanished')});
		expect(status.state).toBe('failed');
	});

	test('is closed although its bee, its workspace or its files are gone', async () => {
		const rig = await createRig({
			bees: {
				wrecker: builder('echo x >x; rm -rf "$PWD"; echo Wrecked'),
				locksmith: builder('mkdir "$HIVE_RESULT_FILE"; echo Locked'),
				eraser: builder('rm -rf "$HIVE_RUN_DIR/meta.json"'),
			},
		});
		const wrecked = await rig.run('wrecker');
		expect(wrecked.run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('what it changed cannot be read'),
		});
		const locked = await rig.begin('locksmith', 'two');
		await rig.ended(locked);
		const {run, status} = await rig.collect(locked);
		expect(run).toMatchObject({status: 'completed', summary: 'Changed nothing: Locked'});
		expect(status.warnings).toEqual([
			expect.stringContaining('summary.md'),
			expect.stringContaining('summary.md'),
		]);
		const erased = await rig.begin('eraser', 'three');
		await rig.ended(erased);
		await rig.collect(erased);
		expect((await rig.runOf(erased))[1]).toMatchObject({status: 'failed'});
	});
});

describe('warnings about a run', () => {
	test('are left out of the log when there are none', async () => {
		const rig = await createRig({bees: {maker: scripted('true')}});
		expect((await rig.run('maker')).run).not.toHaveProperty('warnings');
		expect((await rig.events('run.finished'))[0]?.payload).not.toHaveProperty('warnings');
	});

	test('are redacted and truncated on the log, and complete in the run directory', async () => {
		const key = 'sesame-open-0123456789';
		const post_exec = ['sh', '-c', 'printf "%0455d$SERVICE_PASSWORD" 0 >&2; exit 1'];
		const rig = await createRig({
			bees: {maker: scripted('true', {post_exec})},
			environment: {SERVICE_PASSWORD: key},
		});
		const {run, status} = await rig.run('maker');
		const whole = `post_exec ended with exit code 1: ${'0'.repeat(455)}${redacted}`;
		expect(status.warnings).toEqual([whole]);
		expect(run.warnings).toEqual([whole]);
		const many = Array.from({length: 21}, (_, index) => `${index} ${'é'.repeat(maxWarningLength)}`);
		const said = warningsForLog(redacting(rig.ports), many);
		expect(said).toHaveLength(maxWarnings);
		expect(said.map(({length}) => length)).toEqual(said.map(() => maxWarningLength));
	});

	test('include params that the command of the bee ignores', async () => {
		const rig = await createRig({bees: {maker: scripted('true', {params: {model: 'm'}})}});
		const {run, status} = await rig.run('maker');
		expect(run.warnings).toEqual(['"params" of .hive/bees/maker.yaml are ignored: the bee has a "command".']);
		expect(status.warnings).toEqual(run.warnings);
	});

	test('are emitted even when the work of the run cannot be read', async () => {
		const rig = await createRig({
			bees: {blocker: scripted('rm "$HIVE_RUN_DIR/meta.json"; mkdir "$HIVE_RUN_DIR/meta.json"')},
		});
		const {run, status} = await rig.run('blocker');
		expect(run).toMatchObject({status: 'failed', warnings: [expect.stringContaining('meta.json')]});
		expect(status.warnings).toEqual(run.warnings);
	});
});

describe('the output rules of a bee', () => {
	const emits = (kind: string) => ({type: 'INSIGHT' as const, payload: {kind, summary: 'x'}});

	test('fail a run that does not meet its contract, and nothing is proposed', async () => {
		const contract = {required: [{type: 'INSIGHT', kind_one_of: ['review.note'], count: 1}]};
		const rig = await createRig({
			bees: {maker: builder('echo new >new.txt', {completion_contract: contract})},
		});
		const {run} = await rig.run('maker');
		expect(run).toMatchObject({
			status: 'failed',
			summary: expect.stringContaining('the completion contract wants 1 of review.note, and 0 came'),
		});
		expect(await rig.events('code.proposal.isolated')).toEqual([]);
		const agentId = await rig.begin('maker', 'two');
		await rig.say({traceId: (await rig.trace()).traceId, agentId, ...emits('review.note')});
		await rig.ended(agentId);
		expect((await rig.collect(agentId)).run.status).toBe('completed');
	});

	test('do not bind a run that asked a question, answered before its end or not', async () => {
		const contract = {required: [{type: 'INSIGHT', kind_one_of: ['review.note'], count: 1}]};
		const rig = await createRig({bees: {maker: scripted('echo Asked', {completion_contract: contract})}});
		const {traceId} = await rig.trace();
		for (const task of ['one', 'two']) {
			const agentId = await rig.begin('maker', task);
			const asked = {kind: 'human.question', questionId: task, text: 'Which one?'};
			await rig.say({traceId, agentId, type: 'SIGNAL', payload: asked});
			const answer = {kind: 'human.answer', questionId: task, text: 'this'};
			if (task === 'two') await rig.say({traceId, agentId: 'human', type: 'INSIGHT', payload: answer});
			await rig.ended(agentId);
			expect((await rig.collect(agentId)).run.status).toBe('completed');
		}
	});

	test('count a summary that hive wrote for the contract', async () => {
		const contract = {required: [{type: 'INSIGHT', kind_one_of: ['run.summary'], count: 1}]};
		const rig = await createRig({bees: {maker: scripted('echo Done', {completion_contract: contract})}});
		expect((await rig.run('maker')).run.status).toBe('completed');
	});

	test.each([
		['is required and there is none', 'true', {}, 'failed'],
		['is required and hive can write it', 'echo Done', {}, 'completed'],
		[
			'is required and the bee publishes other things only',
			'echo Done',
			{publishes: [{type: 'INSIGHT', kind: 'review.note'}]},
			'failed',
		],
	])('apply when run_summary %s', async (_, script, more, status) => {
		const rig = await createRig({bees: {maker: scripted(script, {run_summary: 'required', ...more})}});
		expect((await rig.run('maker')).run.status).toBe(status);
	});

	test('emit no summary when run_summary is disabled', async () => {
		const rig = await createRig({bees: {maker: scripted('echo Done', {run_summary: 'disabled'})}});
		await rig.run('maker');
		expect(await rig.events('run.summary')).toEqual([]);
	});
});
