import {describe, expect, it, onTestFinished} from 'vitest';
import {type ColonyOnDisk, publishesIsolated, type ScriptedBee} from '../helpers/colony-on-disk.ts';
import {
	createMachines,
	createTasks,
	machineOf,
	showsAlive,
	startReactor,
	statusOf,
} from '../helpers/machines.ts';
import {type Connection, startNetwork, supportsNamespaces} from '../helpers/network.ts';

const note = '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"x"}}';

const builder: ScriptedBee = {
	worktree: true,
	publishes: [...publishesIsolated, {type: 'INSIGHT', kind: 'context.note'}],
	script: `
wait_for "$HIVE_TASK_ID"
if emit '${note}' >"$HIVE_RUN_DIR/answer"; then note "said $HIVE_TASK_ID"; else note "refused $HIVE_TASK_ID $?"; fi
wait_for "$HIVE_TASK_ID.end"
echo "made by $HIVE_TASK_ID" >"$HIVE_TASK_ID.txt"
echo "Built $HIVE_TASK_ID"`,
};

const areApart = await supportsNamespaces();

/** Three machines with two slots each, with their reactors and their network links. */
const createThree = async () => {
	const {server, links, close} = await startNetwork(3, areApart);
	onTestFinished(close);
	const settings = {defaults: {max_parallel_runs: 2, energy_budget: 20}};
	const machines = await createMachines(server, links, {bees: {builder}, settings});
	const [one] = machines;
	const crew: Machine[] = [];
	for (const [index, colony] of machines.entries()) {
		const reactor = await startReactor(colony, machines.find(other => other !== colony) as ColonyOnDisk);
		crew.push({colony, reactor, link: links[index] as Connection});
	}
	return {one, machines, crew};
};

type Trace = Awaited<ReturnType<typeof statusOf>>['traces'][number];

type Machine = {
	readonly colony: ColonyOnDisk;
	readonly reactor: Awaited<ReturnType<typeof startReactor>>;
	readonly link: Connection;
};

/** Lets an agent emit its event, and end. */
const letPass = async (one: ColonyOnDisk, taskId: string): Promise<void> => {
	await one.open(taskId);
	await one.open(`${taskId}.end`);
};

/** Waits for at least `count` agent starts, and returns their tasks in alphabetical order. */
const startsOf = async (one: ColonyOnDisk, count: number): Promise<readonly string[]> => {
	const starts = () => one.notes().then(notes => notes.filter(line => line.startsWith('start ')));
	await expect.poll(async () => (await starts()).length).toBeGreaterThanOrEqual(count);
	return (await starts()).map(line => line.split(' ')[2] ?? '').toSorted();
};

/** Returns the traces of each machine, in the order of the machines. */
const sharesOf = async (machines: readonly ColonyOnDisk[]) => {
	const {traces} = await statusOf(machines[0] as ColonyOnDisk);
	const places = await Promise.all(machines.map(machineOf));
	return places.map(place => traces.filter(trace => trace.place === place));
};

/** Expects one run per task, an intact and equal log everywhere, and only reviews left for people. */
const expectDoneOnce = async (machines: readonly ColonyOnDisk[], taskIds: readonly string[]) => {
	const [one] = machines as readonly [ColonyOnDisk];
	const {traces} = await statusOf(one);
	for (const {traceId} of traces) {
		await one.ask(['wait', '--trace', traceId, '--for', 'review', '--timeout', '2m']);
		const log = await one.replay(traceId);
		for (const machine of machines) expect(await machine.replay(traceId)).toEqual(log);
		expect(new Set(log.map(({id}) => id)).size).toBe(log.length);
		expect(new Set(log.map(({sequence}) => sequence)).size).toBe(log.length);
		const ended = log.flatMap(({payload}) => (payload.kind === 'run.finished' ? [payload] : []));
		const claims = log.filter(({payload}) => payload.kind === 'energy.consume');
		expect(claims).toHaveLength(ended.length);
		expect(ended.map(({status}) => status)).toEqual(ended.map(() => 'completed'));
	}
	expect(await startsOf(one, taskIds.length)).toEqual(taskIds.toSorted());
	const statuses = (await statusOf(one)).traces.flatMap(({tasks}) => tasks);
	for (const {taskId, status} of statuses)
		expect([taskId, status]).toEqual([taskId, taskId === '_review' ? 'waiting_review' : 'completed']);
};

const kind = areApart
	? 'each in a network of its own'
	: 'each behind a proxy, as it may have no network of its own';

describe(`three machines on one colony, ${kind}`, () => {
	it('share traces; a killed one is shown dead, its traces wait for it, and nothing starts twice', async () => {
		const {one, machines, crew} = await createThree();
		const taskIds = ['a', 'b', 'c', 'd', 'e', 'f'];
		for (const taskId of taskIds) await createTasks(one, taskId);
		expect(await startsOf(one, 6)).toEqual(taskIds);
		const shares = await sharesOf(machines);
		expect(shares.map(traces => traces.length)).toEqual([2, 2, 2]);

		const [, , {colony, reactor}] = crew as [Machine, Machine, Machine];
		const left = shares[2]?.flatMap(({tasks}) => tasks.map(({taskId}) => taskId)) as [string, string];
		await reactor.kill('SIGKILL');
		for (const other of machines.slice(0, 2)) await showsAlive(other, colony, false);
		// One of its agents ends without a reactor, and the other continues.
		await letPass(one, left[0]);
		for (const taskId of taskIds.filter(id => !left.includes(id))) await letPass(one, taskId);
		await createTasks(one, 'g');
		await startsOf(one, 7);
		await letPass(one, 'g');
		const [ofOne = [], ofTwo = [], ofKilled = []] = await sharesOf(machines);
		for (const {traceId} of [...ofOne, ...ofTwo])
			await one.ask(['wait', '--trace', traceId, '--for', 'review', '--timeout', '2m']);
		expect([ofOne.length + ofTwo.length, ofKilled.length]).toEqual([5, 2]);
		for (const {tasks} of (await sharesOf(machines))[2] ?? [])
			expect(tasks.map(({status}) => status)).toEqual(['running']);

		await startReactor(colony, one);
		await letPass(one, left[1]);
		await expectDoneOnce(machines, [...taskIds, 'g']);
	});

	it('continue when one is disconnected: it works on its traces, reports the outage, and catches up', async () => {
		const {one, machines, crew} = await createThree();
		const chains = ['a', 'b', 'c'];
		for (const name of chains) await createTasks(one, `${name}1`, `${name}2`);
		await startsOf(one, 3);
		const shares = await sharesOf(machines);
		const index = shares.findIndex(traces => traces.length > 0);
		const {colony: far, reactor, link} = crew[index] as Machine;
		const [near] = machines.filter(machine => machine !== far) as [ColonyOnDisk, ColonyOnDisk];
		const [{traceId, tasks}] = shares[index] as [Trace];
		const [first = ''] = tasks.map(({taskId}) => taskId);
		const {payload} = await reactor.event({kind: 'energy.consume', taskId: first});

		await link.cut();
		await reactor.says('is lost');
		expect((await far.hive(['status'])).exitCode).toBe(6);
		expect((await far.hive(['task', 'create', '-b', 'x'])).exitCode).toBe(6);
		await letPass(one, first);
		expect((await one.notes(4)).at(-1)).toBe(`refused ${first} 6`);
		await far.exitOf(traceId, String(payload.agentId));
		await showsAlive(near, far, false);
		await createTasks(near, 'd1');
		await expect
			.poll(async () => (await statusOf(near)).traces.find(({tasks}) => tasks[0]?.taskId === 'd1')?.place)
			.toBeDefined();
		await link.mend();

		await reactor.says('can be reached again');
		await startsOf(one, 5);
		for (const name of chains) if (!first.startsWith(name)) await letPass(one, `${name}1`);
		await letPass(one, 'd1');
		await startsOf(one, 7);
		for (const name of chains) await letPass(one, `${name}2`);
		await showsAlive(near, far, true);
		await expectDoneOnce(machines, [...chains.flatMap(name => [`${name}1`, `${name}2`]), 'd1']);
		// The reactor has seen every event once, in order.
		const traces = await sharesOf(machines);
		const logs = await Promise.all(traces.flat().map(trace => one.replay(trace.traceId)));
		const sequences = logs.flatMap(log => log.map(({sequence}) => sequence));
		expect(reactor.events.map(({sequence}) => sequence)).toEqual(sequences.toSorted((a, b) => a - b));
	});
});
