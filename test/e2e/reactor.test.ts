import {describe, expect, it} from 'vitest';
import {builder, createColony, type ScriptedBee} from '../helpers/colony-on-disk.ts';

/** A bee whose runs wait until the test opens the gate "go". */
const waiter: ScriptedBee = {...builder, script: `wait_for go; ${builder.script}`};

const task = (taskId: string, ...more: string[]) =>
	['task', 'create', '--trace', 't', '--task', taskId, '-b', `Do ${taskId}`, ...more] as const;

/** Returns the agent starts in `notes`, as bee, task and agent id. */
const startsOf = (notes: readonly string[]) =>
	notes.filter(line => line.startsWith('start ')).map(line => line.split(' ').slice(1));

describe('hive run', () => {
	it('takes events of other processes at once, and answers agents and people', async () => {
		const colony = await createColony();
		const kept = await colony.hive([...task('early')]);
		expect(kept.stdout).toBe(
			'Trace t\nTask early: ready\nNo reactor is alive, so it waits until you start "hive" or "hive run".\n',
		);
		const reactor = colony.follow();
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		const status = await colony.ask<{reactors: {pid: number}[]}>(['status']);
		expect(status.reactors).toMatchObject([{pid: reactor.pid, here: true}]);

		const taken = await colony.hive([...task('late')]);
		expect(taken.stdout).toBe('Trace t\nTask late: ready\nA live reactor carries it out.\n');
		const {sequence} = await reactor.event({kind: 'task.completed', taskId: 'late'});
		await reactor.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'}, sequence);

		const large = {traceId: 't', type: 'INSIGHT', payload: {kind: 'run.summary', summary: 'x'.repeat(3e5)}};
		for (const [event, answer] of [
			['', {error: 'invalid_json'}],
			['{}', {error: 'schema_validation_failed'}],
			[JSON.stringify(large), {error: 'event_too_large'}],
		] as const)
			expect(await colony.ask(['event', 'emit', '--stdin'], {input: event, exit: 5})).toMatchObject(answer);
		const note = {traceId: 't', type: 'INSIGHT', payload: {kind: 'context.note', summary: 'hello'}};
		const {sequence: noted} = await colony.ask<{sequence: number}>(['event', 'emit', '--stdin'], {
			input: JSON.stringify(note),
		});
		expect(await reactor.event({kind: 'context.note'})).toMatchObject({sequence: noted, traceId: 't'});
		expect(await reactor.kill('SIGINT')).toMatchObject({exitCode: 130});
		expect(startsOf(await colony.notes())).toHaveLength(2);
	});

	it('reports the errors of doctor at its start, and leaves out only the unreadable bee', async () => {
		const contract = {required: [{type: 'VERIFICATION', kind_one_of: ['verification.success']}]};
		const colony = await createColony({
			bees: {builder, judge: {script: 'true', completion_contract: contract}},
			files: {'.hive/bees/broken.yaml': 'adapter: y\n'},
		});
		const {findings} = await colony.ask<{findings: {level: string; path: string; message: string}[]}>(
			['doctor'],
			{exit: 5},
		);
		const errors = findings.filter(({level}) => level === 'error');
		await colony.ask([...task('judged', '--bee', 'judge')]);
		await colony.ask([...task('left', '--bee', 'broken')], {exit: 5});
		const {stderr, exitCode} = await colony.hive(['run', '--until-idle']);
		const said = stderr.trim().split('\n');
		expect(errors.map(({path}) => path)).toEqual(['.hive/bees/broken.yaml:1', '.hive/bees/judge.yaml']);
		expect(said.slice(0, -1)).toEqual(
			errors.map(({path, message}) => expect.stringContaining(`hive: ${path}: ${message}. `)),
		);
		expect(said[0]).toMatch(/ Until then its bee is left out\.$/);
		expect(said.at(-1)).toMatch(/^hive: The reactor of this checkout runs here\./);
		// The bee with an error is still used.
		expect(exitCode).toBe(9);
		expect(await colony.ask(['task', 'show', '--trace', 't', '--task', 'judged'])).toMatchObject({
			task: {status: 'failed', summary: expect.stringContaining('the completion contract wants 1')},
		});
	});

	it('reports nothing for a colony without problems', async () => {
		const colony = await createColony();
		const {stderr} = await colony.hive(['run', '--until-idle']);
		expect(stderr).toBe('hive: The reactor of this checkout runs here. Ctrl+C ends it; runs go on.\n');
	});

	it.each([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGKILL', null],
	] as const)(
		'leaves its runs alive when it gets %s, and the next reactor collects them',
		async (signal, code) => {
			const colony = await createColony({bees: {builder: waiter}});
			await colony.ask([...task('a')]);
			const first = colony.follow();
			const [start = ''] = await colony.notes(1);
			expect(await first.kill(signal)).toMatchObject({exitCode: code});
			const [agentId = ''] = start.split(' ').slice(-1);
			const {traces} = await colony.ask<{traces: object[]}>(['status']);
			expect(traces).toMatchObject([{runs: [{agentId, status: 'running'}], energyRemaining: 11}]);

			const second = colony.follow(['run', '--until-idle']);
			await colony.open('go');
			expect(await second.event({kind: 'run.finished'})).toMatchObject({
				payload: {agentId, status: 'completed', exitCode: 0},
			});
			expect((await second.ended).exitCode).toBe(8);
			expect(startsOf(await colony.notes())).toEqual([['builder', 'a', agentId]]);
			const consumed = (await colony.replay('t')).filter(({payload}) => payload.kind === 'energy.consume');
			expect(consumed).toHaveLength(1);
		},
	);

	it('collects a run that ended while no reactor was alive', async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go; note over'}}});
		await colony.ask([...task('a')]);
		const first = colony.follow();
		await colony.notes(1);
		await first.kill('SIGKILL');
		await colony.open('go');
		await colony.notes(2);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		expect(startsOf(await colony.notes())).toHaveLength(1);
	});

	it('dispatches in one process only, and a standby takes over when that is killed', async () => {
		const colony = await createColony({bees: {builder: waiter}});
		const first = colony.follow();
		await colony.ask([...task('a')]);
		await colony.notes(1);
		const second = colony.follow();
		await second.says(`runs in another process (pid ${first.pid}); following it`);
		await colony.ask([...task('b', '--autorun')]);
		await second.event({kind: 'task.ready', taskId: 'b'});
		await first.kill('SIGKILL');
		await colony.open('go');
		await second.event({kind: 'task.completed', taskId: 'a'});
		await colony.notes(2);
		await colony.open('go');
		await second.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		const starts = startsOf(await colony.notes());
		expect(starts.map(([, taskId]) => taskId)).toEqual(['a', 'b']);
		const {reactors} = await colony.ask<{reactors: object[]}>(['status']);
		expect(reactors).toMatchObject([{pid: second.pid}]);
		expect(await second.kill('SIGTERM')).toMatchObject({exitCode: 143});
	});
});

describe('hive run --trace', () => {
	it('does not count as a reactor for other traces: their stops happen at once, the rest waits for its end', async () => {
		const colony = await createColony({bees: {builder: waiter, quick: {script: 'echo done'}}});
		for (const traceId of ['t', 'u'])
			await colony.ask(['task', 'create', '--trace', traceId, '--task', 'a', '-b', 'x']);
		const first = colony.follow();
		await colony.notes(2);
		await first.kill('SIGKILL');

		const only = colony.follow(['run', '--trace', 't']);
		await only.says('runs here');
		expect(await colony.ask(['status'])).toMatchObject({reactors: [{pid: only.pid, only: 't'}]});
		expect((await colony.hive(['status'])).stdout).toContain(`reactor for trace t only (pid ${only.pid})`);
		const killed = await colony.hive(['kill', '--trace', 'u']);
		expect(killed.stdout).toBe('Killed u: 1 task cancelled, 1 run stopped.\n');
		const {traces} = await colony.ask<{traces: {traceId: string}[]}>(['status']);
		expect(traces.find(({traceId}) => traceId === 'u')).toMatchObject({runs: [{status: 'cancelled'}]});
		const kept = await colony.hive([
			'task',
			'create',
			'--trace',
			'v',
			'--task',
			'a',
			'-b',
			'x',
			'--bee',
			'quick',
		]);
		expect(kept.stdout).toContain('No reactor is alive, so it waits until');
		const own = await colony.hive([
			'task',
			'create',
			'--trace',
			't',
			'--task',
			'b',
			'-b',
			'x',
			'--bee',
			'quick',
		]);
		expect(own.stdout).toContain('A live reactor carries it out.');

		await colony.open('go');
		await only.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		const rest = colony.follow(['run', '--until-idle']);
		await rest.says(`another process (pid ${only.pid}), for trace t only; waiting for it to end.`);
		await only.kill('SIGTERM');
		await rest.event({kind: 'task.completed', taskId: 'a'});
		const {exitCode, events} = await rest.ended;
		expect(exitCode).toBe(8);
		expect(events).toContainEqual(
			expect.objectContaining({traceId: 'v', payload: expect.objectContaining({kind: 'task.completed'})}),
		);
	});
});

describe('hive run --timeout', () => {
	it('waits for the given time, even beyond the maximum of one timer', async () => {
		const colony = await createColony();
		const reactor = colony.follow(['run', '--timeout', '30d']);
		await reactor.says('runs here');
		await colony.ask([...task('a')]);
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		expect(await reactor.kill('SIGINT')).toMatchObject({exitCode: 130});
	});
});

describe('hive run --until-idle', () => {
	it('exits by the outcome of its traces: 0, 9, 7 or 8, and 124 after the timeout', async () => {
		const colony = await createColony({
			bees: {
				builder: {script: 'echo done'},
				failer: {script: 'echo "no such luck" >&2; exit 3'},
				waiter: {script: 'wait_for never'},
			},
			settings: {defaults: {energy_budget: 1}},
		});
		const run = async (...more: string[]) => (await colony.hive(['run', '--until-idle', ...more])).exitCode;
		expect(await run()).toBe(0);
		await colony.ask(['task', 'create', '-b', 'One thing']);
		expect(await run()).toBe(0);
		await colony.ask(['task', 'create', '--trace', 'h', '--task', 'a', '-b', 'x', '--review', 'required']);
		expect(await run()).toBe(8);
		await colony.ask(['task', 'create', '--trace', 'h', '--task', 'b', '-b', 'x', '--autorun']);
		expect(await run()).toBe(7);
		expect(await colony.ask(['task', 'show', '--trace', 'h', '--task', 'b'])).toMatchObject({
			task: {status: 'blocked', summary: 'Honey reserve exhausted'},
		});
		await colony.ask(['task', 'create', '--trace', 'f', '--task', 'a', '-b', 'x', '--bee', 'failer']);
		expect(await run('--trace', 'f')).toBe(9);
		expect(await run('--trace', 'h')).toBe(7);
		expect(await run()).toBe(9);
		expect(await colony.ask(['task', 'list', '--trace', 'f'])).toMatchObject({
			tasks: [{status: 'failed', summary: 'exit code 3: no such luck'}],
		});
		await colony.ask(['task', 'create', '-b', 'x', '--bee', 'waiter']);
		expect(await run('--timeout', '1s')).toBe(124);
	});

	it('reports a request whose planning failed as failed, like status', async () => {
		const planner: ScriptedBee = {
			script: 'exit 3',
			subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
		};
		const cue = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n';
		const colony = await createColony({bees: {builder, planner}, files: {'.hive/cues/feature.yaml': cue}});
		await colony.ask(['cue', 'run', 'feature', 'Something new', '--trace', 't']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(9);
		expect((await colony.hive(['status'])).stdout).toMatch(/^t +failed /m);
	});
});
