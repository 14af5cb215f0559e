import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony, readJson} from '../helpers/colony-on-disk.ts';

/** True if the process exists and is not a zombie. */
const isAlive = (pid: number): boolean => {
	const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
	return !/^(Z|$)/.test(stdout.trim());
};

/** Returns the agent's process id, from the file of its supervisor. */
const agentPid = async (colony: ColonyOnDisk, agentId: string): Promise<number> =>
	Number((await readJson(`${colony.root}/.hive/runs/t/${agentId}/agent`)).pid);

/** Returns the agent id at the end of a `start` note. */
const agentOf = (line = ''): string => line.split(' ').at(-1) ?? '';

const a = ['--trace', 't', '--task', 'a'] as const;

describe('hive task retry', () => {
	it('runs a failed task again, and replaces a running run only after its processes are gone', async () => {
		const colony = await createColony({
			bees: {
				builder: {
					script:
						'[ -e "$HIVE_COLONY_ROOT/mended" ] || { echo "not yet" >&2; exit 4; }\n' +
						'[ -e "$HIVE_COLONY_ROOT/fast" ] || { note stuck; wait_for never; }\necho done',
				},
			},
		});
		await colony.ask(['task', 'create', ...a, '-b', 'x']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
		await colony.write('mended', '');
		expect(await colony.ask(['task', 'retry', ...a])).toMatchObject({replaces: ''});
		expect(await colony.ask(['task', 'show', ...a])).toMatchObject({task: {status: 'ready', summary: ''}});

		const reactor = colony.follow();
		const stuck = agentOf((await colony.notes(3))[1]);
		await reactor.event({kind: 'task.status', status: 'running', agentId: stuck});
		const pid = await agentPid(colony, stuck);
		await colony.write('fast', '');
		expect(await colony.ask(['task', 'retry', ...a])).toMatchObject({replaces: stuck});
		const {sequence} = await reactor.event({kind: 'run.finished', agentId: stuck, status: 'cancelled'});
		expect(isAlive(pid)).toBe(false);
		await reactor.event({kind: 'energy.consume', taskId: 'a'}, sequence);
		await reactor.event({kind: 'task.completed', taskId: 'a'}, sequence);
		expect(await colony.notes()).toHaveLength(4);
		expect(await colony.ask(['energy', 'show', '--trace', 't'])).toMatchObject({energyRemaining: 9});
	});

	it('stops the run of a task without a reactor', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		await colony.ask(['task', 'create', ...a, '-b', 'x']);
		const reactor = colony.follow();
		const stuck = agentOf((await colony.notes(1))[0]);
		await reactor.kill('SIGKILL');
		const pid = await agentPid(colony, stuck);
		const retried = await colony.hive(['task', 'retry', ...a]);
		expect(retried.stdout).toContain(`Task a is ready again. Run ${stuck} is stopped.`);
		expect(isAlive(pid)).toBe(false);
		expect(await colony.ask(['task', 'show', ...a])).toMatchObject({
			task: {status: 'ready'},
			runs: [{agentId: stuck, status: 'cancelled', exitCode: 143}],
		});
	});
});

describe('hive kill', () => {
	it('stops the runs of a trace, cancels unfinished tasks, and nothing starts afterwards', async () => {
		const colony = await createColony({
			bees: {
				builder: {script: '( wait_for go ) & echo $! >"$HIVE_RUN_DIR/child"; note waiting; wait'},
			},
		});
		await colony.ask(['task', 'create', ...a, '-b', 'x']);
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'b', '-b', 'x', '--depends-on', 'a']);
		const reactor = colony.follow();
		const agentId = agentOf((await colony.notes(2))[0]);
		const pid = await agentPid(colony, agentId);
		const child = Number(await colony.read(`.hive/runs/t/${agentId}/child`));
		expect(isAlive(child)).toBe(true);
		const killed = await colony.hive(['kill', '--trace', 't', '--reason', 'wrong idea']);
		expect(killed.stdout).toBe('Killed t: 2 tasks cancelled, 1 run being stopped.\n');
		await reactor.event({kind: 'run.finished', agentId, status: 'cancelled'});
		expect([pid, child].filter(isAlive)).toEqual([]);
		expect(await colony.ask(['status'])).toMatchObject({
			traces: [
				{
					killed: true,
					tasks: [
						{taskId: 'a', status: 'cancelled', summary: 'wrong idea'},
						{taskId: 'b', status: 'cancelled', summary: 'wrong idea'},
					],
					runs: [{agentId, status: 'cancelled'}],
				},
			],
		});
		expect((await colony.hive(['kill', '--trace', 't'])).stdout).toBe('t was killed before.\n');
		await colony.ask(['energy', 'add', '--trace', 't', '--amount', '5']);
		await reactor.event({kind: 'energy.add'});
		expect(await reactor.kill('SIGINT')).toMatchObject({exitCode: 130});
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		expect(await colony.notes()).toHaveLength(2);
	});

	it('ends live runs without a reactor', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		await colony.ask(['task', 'create', ...a, '-b', 'x']);
		const reactor = colony.follow();
		const agentId = agentOf((await colony.notes(1))[0]);
		await reactor.kill('SIGKILL');
		const pid = await agentPid(colony, agentId);
		expect(await colony.ask(['kill', '--trace', 't'])).toMatchObject({
			cancelled: ['a'],
			stopped: [agentId],
			stopping: false,
		});
		expect(isAlive(pid)).toBe(false);
		expect(await colony.ask(['task', 'show', ...a])).toMatchObject({
			task: {status: 'cancelled', summary: 'Trace killed'},
			runs: [{agentId, status: 'cancelled'}],
		});
	});
});

describe('hive energy add', () => {
	it('resumes tasks that were blocked by the exhausted reserve', async () => {
		const colony = await createColony({settings: {defaults: {energy_budget: 1}}});
		await colony.ask(['task', 'create', ...a, '-b', 'x']);
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'b', '-b', 'x', '--depends-on', 'a']);
		const reactor = colony.follow();
		await reactor.event({
			kind: 'task.status',
			taskId: 'b',
			status: 'blocked',
			summary: 'Honey reserve exhausted',
		});
		expect(await colony.ask(['energy', 'show', '--trace', 't'])).toMatchObject({energyRemaining: 0});
		const {stdout} = await colony.hive(['energy', 'add', '--trace', 't', '--amount', '3']);
		expect(stdout).toBe('Added 3 honey to t: 3 left (budget 1). Resumed: b.\n');
		await reactor.event({kind: 'task.completed', taskId: 'b'});
		expect(await colony.ask(['energy', 'show', '--trace', 't'])).toEqual({
			v: 1,
			traceId: 't',
			energyBudget: 1,
			energyRemaining: 2,
			spent: {cost: 0, tokens: 0},
		});
	});
});

describe('hive task create', () => {
	it('reports a task that already existed as unchanged', async () => {
		const colony = await createColony();
		const create = ['task', 'create', '--trace', 't', '--task', 'a', '--body', 'Do it.'];
		expect(await colony.ask(create)).toMatchObject({ready: ['a'], unchanged: []});
		expect(await colony.ask(create)).toMatchObject({ready: [], unchanged: ['a']});
		expect((await colony.hive(create)).stdout).toBe('Trace t\nTask a: unchanged\n');
	});
});

describe('hive bee run', () => {
	it('runs one bee with or without a reactor, exits like the run, and costs one unit', async () => {
		const colony = await createColony({
			bees: {
				builder,
				scout: {script: 'echo "Looked around"'},
				failer: {script: 'echo "no luck" >&2; exit 3'},
			},
			settings: {defaults: {energy_budget: 3}},
		});
		const alone = await colony.ask(['bee', 'run', 'scout', '--trace', 't']);
		expect(alone).toEqual({
			v: 1,
			traceId: 't',
			agentId: expect.stringMatching(/^[0-9a-f]{16}$/),
			bee: 'scout',
			status: 'completed',
			exitCode: 0,
			summary: 'Looked around',
			pausedUntil: '',
			warnings: [],
			runDir: `${colony.root}/.hive/runs/t/${alone.agentId}`,
		});
		const reactor = colony.follow();
		await reactor.says('The reactor of this checkout runs here');
		const failed = await colony.ask(['bee', 'run', 'failer', '--trace', 't'], {exit: 1});
		expect(failed).toMatchObject({status: 'failed', exitCode: 3, summary: 'exit code 3: no luck'});
		const failedText = await colony.hive(['bee', 'run', 'failer', '--trace', 't']);
		expect(failedText.exitCode).toBe(1);
		expect(failedText.stdout).toContain('exit code 3: no luck');
		expect(await colony.ask(['bee', 'run', 'scout', '--trace', 't'], {exit: 7})).toMatchObject({
			error: {code: 'honey_exhausted'},
		});
		expect(await colony.notes()).toHaveLength(3);
	});

	it('is refused when its run can never begin: the trace is killed, or the bee is gone', async () => {
		const waiter = {...builder, script: 'wait_for never'};
		const colony = await createColony({
			bees: {builder: waiter, scout: {script: 'echo "Looked around"'}},
			settings: {defaults: {max_parallel_runs: 1}},
		});
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
		const reactor = colony.follow();
		await colony.notes(1);

		const killed = colony.ask(['bee', 'run', 'scout', '--trace', 'u'], {exit: 4});
		const {sequence} = await reactor.event({kind: 'bee.requested'});
		await colony.ask(['kill', '--trace', 'u', '--reason', 'not needed']);
		expect(await killed).toMatchObject({
			error: {code: 'trace_killed', message: expect.stringContaining('not needed')},
		});

		const removed = colony.ask(['bee', 'run', 'scout', '--trace', 'v'], {exit: 3});
		await reactor.event({kind: 'bee.requested'}, sequence);
		await colony.remove('.hive/bees/scout.yaml');
		// A run is open, so the changed configuration waits for a person.
		await colony.ask(['doctor', '--accept']);
		expect(await removed).toMatchObject({error: {code: 'bee_not_found'}});
		expect(await colony.notes()).toHaveLength(1);
	});

	it('ends when its trace is killed while the only reactor serves another trace', async () => {
		const colony = await createColony({
			bees: {builder: {...builder, script: 'wait_for never'}, scout: {script: 'echo "Looked around"'}},
		});
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
		const only = colony.follow(['run', '--trace', 't']);
		await only.says('runs here');
		const asked = colony.ask(['bee', 'run', 'scout', '--trace', 'u'], {exit: 4});
		await only.event({kind: 'bee.requested'});
		await colony.ask(['kill', '--trace', 'u']);
		expect(await asked).toMatchObject({error: {code: 'trace_killed'}});
	});

	it('an idle trace whose guard waits for honey is not done, and its gate opens after a top-up', async () => {
		const subscribes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
		const colony = await createColony({
			bees: {builder, guard: {worktree: true, subscribes, script: 'echo Fine'}},
			settings: {defaults: {energy_budget: 1}},
		});
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
		const idle = () => colony.hive(['run', '--until-idle']);
		expect((await idle()).exitCode).toBe(7);
		expect((await idle()).exitCode).toBe(7);
		expect((await colony.hive(['status'])).stdout).toMatch(/^t +blocked +0\/1 +1\/1/m);
		await colony.ask(['energy', 'add', '--trace', 't', '--amount', '1']);
		expect((await idle()).exitCode).toBe(8);
	});
});
