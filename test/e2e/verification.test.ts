import {existsSync, readdirSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	type ColonyOnDisk,
	createColony,
	type Line,
	publishesIsolated,
	type ScriptedBee,
} from '../helpers/colony-on-disk.ts';
import {processesOf} from '../helpers/processes-of.ts';

/** Writes `bad` until its prompt contains the result of the verification. */
const learner: ScriptedBee = {
	worktree: true,
	publishes: publishesIsolated,
	prompt_template: 'builder.md',
	script: `
if grep -q 'verify failed: sh check.sh (exit 3)' "$HIVE_PROMPT_FILE" && grep -q 'it is bad' "$HIVE_PROMPT_FILE"
then echo good >state; else echo bad >state; fi
echo 'Wrote state'`,
};

const files = {
	'check.sh': 'if [ "$(cat state)" = good ]; then echo it is good; else echo it is bad; exit 3; fi\n',
	'.hive/prompts/builder.md': '{{.Task}}\n{{.Feedback}}\n{{.Evidence}}\n',
};

const builder: ScriptedBee = {
	worktree: true,
	publishes: publishesIsolated,
	script: 'echo good >state; echo "Built $HIVE_TASK_ID"',
};

const createTask = async (colony: ColonyOnDisk): Promise<string> => {
	const input = JSON.stringify({tasks: [{taskId: 'a', title: 'Do it'}]});
	return (await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-'], {input})).traceId;
};

type Shown = {
	readonly task: {readonly status: string; readonly summary: string};
	readonly evidence: {
		readonly passed: boolean;
		readonly agentId: string;
		readonly [field: string]: unknown;
	} | null;
	readonly runs: readonly {readonly agentId: string; readonly bee: string; readonly status: string}[];
};

const show = (colony: ColonyOnDisk, traceId: string): Promise<Shown> =>
	colony.ask<Shown>(['task', 'show', '--trace', traceId, '--task', 'a']);

const kinds = (events: readonly Line[]): string[] => events.map(({payload}) => payload.kind);

const finishedVerifications = (events: readonly Line[]) =>
	events.filter(({payload}) => payload.kind === 'run.finished' && payload.bee === 'hive.verify');

const worktrees = ({root}: ColonyOnDisk): string[] => {
	const folder = join(root, '.hive/worktrees');
	return existsSync(folder) ? readdirSync(folder).filter(name => name.startsWith('_')) : [];
};

const expectNoneLeft = async (colony: ColonyOnDisk): Promise<void> => {
	expect(worktrees(colony)).toEqual([]);
	expect(await colony.git(['worktree', 'list'])).not.toContain('_verify');
};

describe('the verification of proposals', () => {
	it('runs on the proposed files, costs no honey, and its result is shown beside the verdict', async () => {
		const verify = [
			['test', '-f', 'state'],
			['sh', 'check.sh'],
		];
		const colony = await createColony({bees: {builder}, settings: {verify}, files});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {evidence, runs, task} = await show(colony, traceId);
		expect(task.status).toBe('completed');
		expect(evidence).toMatchObject({
			passed: true,
			ran: true,
			exitCode: 0,
			summary: 'test -f state, sh check.sh',
		});
		expect(evidence?.output).toBe('$ test -f state\n$ sh check.sh\nit is good');
		expect(runs.map(({bee, status}) => `${bee} ${status}`)).toEqual([
			'builder completed',
			'hive.verify completed',
		]);
		const {traces} = await colony.ask<{traces: object[]}>(['status']);
		expect(traces).toMatchObject([
			{energyRemaining: 11, tasks: [{evidence: {passed: true}}, {evidence: null}]},
		]);
		const {proposals} = await colony.ask<{proposals: object[]}>(['proposal', 'list']);
		expect(proposals).toMatchObject([{taskId: '_review', judgement: {unjudged: ['a'], verified: ['a']}}]);
		expect((await colony.hive(['proposal', 'list'])).stdout).toContain('no verdict, verify passed');
		expect((await colony.hive(['logs', evidence?.agentId ?? ''])).stdout).toContain('it is good');
		expect((await colony.hive(['why', 'a', '--trace', traceId])).stdout).toContain('verify passed');
		await expectNoneLeft(colony);
	});

	it('holds the task for a person when it fails, enters the next prompt, and completes the task later', async () => {
		const verify = {commands: 'sh check.sh', required: true};
		const colony = await createColony({bees: {builder: learner}, settings: {verify}, files});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const failed = await show(colony, traceId);
		expect(failed.task).toMatchObject({
			status: 'waiting_review',
			summary: 'Verify failed: sh check.sh (exit 3). Wrote state',
		});
		expect(failed.evidence).toMatchObject({
			passed: false,
			ran: true,
			exitCode: 3,
			output: '$ sh check.sh\nit is bad',
		});
		expect((await colony.hive(['task', 'show', '--trace', traceId, '--task', 'a'])).stdout).toContain(
			'Verify:   verify failed: sh check.sh (exit 3)',
		);
		await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'a', '--feedback', 'mend it']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const passed = await show(colony, traceId);
		expect(passed.task.status).toBe('completed');
		expect(passed.evidence).toMatchObject({passed: true});
		await expectNoneLeft(colony);
	});

	it('precedes the bee that completes tasks, whose completion does not count without it', async () => {
		const receiver: ScriptedBee = {
			worktree: true,
			subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
			publishes: [{type: 'VERIFICATION', kind: 'task.completed'}],
			script: `emit '{"type":"VERIFICATION","payload":{"kind":"task.completed","taskId":"a","status":"completed","summary":"received"}}'`,
		};
		const verify = {commands: 'sh check.sh', required: true};
		const colony = await createColony({bees: {builder: learner, receiver}, settings: {verify}, files});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {task, runs} = await show(colony, traceId);
		expect(runs.map(({bee}) => bee)).toEqual(['builder', 'hive.verify', 'receiver']);
		expect(task.status).toBe('waiting_review');
		const {traces} = await colony.ask<{traces: {problems: {message: string}[]}[]}>(['status']);
		expect(traces[0]?.problems.map(({message}) => message)).toEqual([
			'receiver said that a is complete: verify failed: sh check.sh (exit 3)',
		]);
		await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'a', '--feedback', 'mend it']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect((await show(colony, traceId)).task).toMatchObject({status: 'completed', summary: 'received'});
	});

	it('is completed once by the next reactor after a kill, and leaves no worktree', async () => {
		const verify = {commands: ['sh', '$COLONY_ROOT/.hive/agents/verify.sh']};
		const colony = await createColony({bees: {builder: {...builder, verify}}, files});
		const gate = join(colony.home, 'gates/verify');
		const script = `echo verified >>${join(colony.home, 'notes')}; mkfifo ${gate} 2>/dev/null; read -r word <${gate}\n`;
		await colony.write('.hive/agents/verify.sh', script);
		const traceId = await createTask(colony);
		const reactor = colony.follow();
		await reactor.event({kind: 'energy.consume', bee: 'hive.verify'});
		await colony.notes(2);
		await reactor.kill('SIGKILL');
		expect(worktrees(colony)).toHaveLength(1);
		const next = colony.follow();
		await next.says('runs here');
		await colony.write('.hive/bees/other.yaml', 'adapter: script\ncommand: "true"\n');
		await colony.open('verify');
		await next.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		// A verification may write into the checkout, so a configuration change waits for a person.
		expect((await next.kill('SIGTERM')).stderr).toContain('was verified: not yet in force');
		const events = await colony.replay(traceId);
		expect(finishedVerifications(events)).toHaveLength(1);
		expect((await colony.notes()).filter(line => line === 'verified')).toHaveLength(1);
		expect((await show(colony, traceId)).evidence).toMatchObject({passed: true});
		await expectNoneLeft(colony);
	});

	it.each(['run.claimed', 'worktree.added', 'run.launched', 'run.swept'])(
		'continues after its reactor died at %s, without further cost',
		async point => {
			const verify = {commands: 'sh check.sh', required: true};
			const colony = await createColony({bees: {builder}, settings: {verify}, files});
			const traceId = await createTask(colony);
			// The first occurrence belongs to the builder's run.
			const env = {HIVE_CRASH_AT: `${point}:2`};
			expect((await colony.hive(['run', '--until-idle'], {env})).exitCode).toBeNull();
			expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
			const {task, evidence, runs} = await show(colony, traceId);
			expect(task.status).toBe('completed');
			expect(evidence).toMatchObject({passed: true});
			expect(runs).toHaveLength(2);
			const {traces} = await colony.ask<{traces: object[]}>(['status']);
			expect(traces).toMatchObject([{energyRemaining: 11}]);
			await expectNoneLeft(colony);
		},
	);

	it('is set up again when its reactor died after the setup', async () => {
		const verify = {commands: ['test', '-f', 'made'], required: true};
		const workspaces = {setup: ['sh', '-c', 'echo >made']};
		const settings = {verify, workspaces};
		const colony = await createColony({bees: {builder}, settings, files: {'.gitignore': 'made\n'}});
		const traceId = await createTask(colony);
		const env = {HIVE_CRASH_AT: 'run.prepared:2'};
		expect((await colony.hive(['run', '--until-idle'], {env})).exitCode).toBeNull();
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {task, evidence} = await show(colony, traceId);
		expect(evidence).toMatchObject({passed: true, output: '$ test -f made'});
		expect(task.status).toBe('completed');
		await expectNoneLeft(colony);
	});

	it('is cancelled in favour of a newer proposal', async () => {
		const guard: ScriptedBee = {
			worktree: true,
			subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
			publishes: [
				{type: 'VERIFICATION', kind: 'verification.failed'},
				{type: 'VERIFICATION', kind: 'verification.success'},
			],
			script: `
if [ "$(cat state)" = 1 ]; then kind=verification.failed; else kind=verification.success; fi
emit "{\\"type\\":\\"VERIFICATION\\",\\"payload\\":{\\"kind\\":\\"$kind\\",\\"taskId\\":\\"a\\",\\"summary\\":\\"seen\\"}}"`,
		};
		const counting: ScriptedBee = {
			...builder,
			script: 'if [ -f state ]; then echo 2 >state; else echo 1 >state; fi',
			subscribes: [
				{type: 'SIGNAL', kind: 'task.ready', dispatch: 'task'},
				{type: 'VERIFICATION', kind: 'verification.failed', dispatch: 'direct'},
			],
			verify: {commands: ['sh', 'wait.sh'], required: true},
		};
		const waits = {...files, 'wait.sh': '[ "$(cat state)" = 2 ] || exec sleep 1000\n'};
		const colony = await createColony({bees: {builder: counting, guard}, files: waits});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const events = await colony.replay(traceId);
		const claimed = events
			.filter(({payload}) => payload.reason === 'proposal.verify')
			.map(({payload}) => payload.agentId);
		const finished = new Map(finishedVerifications(events).map(({payload}) => [payload.agentId, payload]));
		// Stopping the older one takes a moment, and the newer one may end first.
		expect(finished.size).toBe(2);
		expect(claimed.map(agentId => finished.get(agentId))).toMatchObject([
			{status: 'cancelled', summary: 'superseded by a newer proposal'},
			{status: 'completed', summary: 'sh wait.sh'},
		]);
		expect((await show(colony, traceId)).task.status).toBe('completed');
		await expectNoneLeft(colony);
	});

	it('is stopped after its timeout, which is reported', async () => {
		const verify = {commands: [['sh', '-c', 'cat state; exec sleep 1000']], timeout: '1s', required: true};
		const colony = await createColony({bees: {builder}, settings: {verify}, files});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {task, evidence} = await show(colony, traceId);
		const command = 'sh -c cat state; exec sleep 1000';
		expect(evidence).toMatchObject({passed: false, ran: true});
		expect(task).toMatchObject({
			status: 'waiting_review',
			summary: `Verify failed: ${command}: timed out after 1s. Built a`,
		});
		await expectNoneLeft(colony);
	});

	it('has the proposed files although the worktree has changed since, and its leftovers are stopped', async () => {
		const verify = [
			[
				'sh',
				'-c',
				'cat state; ls; echo changed >state; sh "$PWD/serve.sh" & echo "$HIVE_PORT" | grep -q "^2"',
			],
		];
		const late = {
			...builder,
			script: 'echo good >state',
			post_exec: ['sh', '-c', 'echo late >late; echo worse >state'],
		};
		const colony = await createColony({
			bees: {builder: late},
			settings: {verify},
			files: {...files, 'serve.sh': 'sleep 1000\n:\n'},
		});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {evidence} = await show(colony, traceId);
		expect(evidence).toMatchObject({passed: true});
		expect(evidence?.output).toContain('\ngood\n');
		expect(evidence?.output).not.toContain('late');
		expect(await readFile(join(colony.root, '.hive/worktrees', traceId, 'state'), 'utf8')).toBe('worse\n');
		expect(processesOf(colony)).toEqual([]);
		await expectNoneLeft(colony);
	});

	it('reports why it could not run, blocks nothing, and is repeated by a retry', async () => {
		const verify = {commands: [['no-such-program']], required: true};
		const colony = await createColony({bees: {builder}, settings: {verify}, files});
		const traceId = await createTask(colony);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {task, evidence} = await show(colony, traceId);
		expect(evidence).toMatchObject({
			passed: false,
			ran: false,
			summary: 'no-such-program: command not found',
		});
		expect(task).toMatchObject({
			status: 'waiting_review',
			summary: 'Verify could not run: no-such-program: command not found. Built a',
		});
		await colony.write(
			'.hive/colony.yaml',
			JSON.stringify({slug: 'scratch', verify: {commands: 'sh check.sh', required: true}}),
		);
		expect(await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'a'])).toMatchObject({
			repeats: 'hive.verify',
		});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const again = await show(colony, traceId);
		expect(again.task.status).toBe('completed');
		expect(again.evidence).toMatchObject({passed: true});
		expect(
			kinds(await colony.replay(traceId)).filter(kind => kind === 'code.proposal.isolated'),
		).toHaveLength(1);
	});

	it('cannot emit events', async () => {
		const says = `printf '%s' '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"x"}}' | "$HIVE" event emit --stdin`;
		const colony = await createColony({bees: {builder}, settings: {verify: [['sh', '-c', says]]}, files});
		const traceId = await createTask(colony);
		await colony.hive(['run', '--until-idle']);
		const {evidence} = await show(colony, traceId);
		expect(evidence).toMatchObject({passed: false});
		expect(evidence?.output).toContain('A command that verifies a proposal may not emit events.');
		expect(kinds(await colony.replay(traceId))).not.toContain('context.note');
	});
});
