import {describe, expect, it} from 'vitest';
import {createColony, type Json} from '../helpers/colony-on-disk.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';

const gate = ['--trace', 't', '--task', '_review'];

const engines = [
	{engine: 'a file of this machine', startBus: async () => undefined},
	{engine: 'a message bus', startBus: startServerOfTest},
];

describe.each(engines)('a colony with its log in $engine', ({startBus}) => {
	it('leads a request without a terminal to the reviewed commit, with the same events on the log', async () => {
		const bus = await startBus();
		const colony = await createColony({bus});
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'page', '-b', 'The page']);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const {tree, patch} = await colony.ask<{tree: string; patch: string}>([
			'proposal',
			'diff',
			'--trace',
			't',
		]);
		expect(patch).toContain('+made by page');
		const {commit} = await colony.ask(['proposal', 'approve', ...gate, '--tree', tree]);
		expect(await colony.git(['rev-parse', 'HEAD', 'HEAD^{tree}'])).toBe(`${commit}\n${tree}`);
		expect(await colony.read('page.txt')).toBe('made by page\n');
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);

		expect((await colony.replay('t')).map(({payload}) => wordsOf(payload))).toEqual([
			'task.plan',
			'task.ready page',
			'task.status page ready',
			'energy.consume page',
			'task.status page running',
			'run.summary page',
			'code.proposal.isolated page',
			'run.finished page completed',
			'task.completed page completed',
			'task.plan',
			'task.status _review waiting_review',
			'merge.started _review',
			'task.completed _review completed',
		]);
		const {colony: shown, traces} = await colony.ask<{colony: Json; traces: object[]}>(['status']);
		expect(traces).toMatchObject([{traceId: 't', tasks: [{status: 'completed'}, {status: 'completed'}]}]);
		const address = bus?.url.replace('nats://', '') ?? 'embedded';
		expect(shown).toMatchObject({bus: address});
		const doctor = await colony.ask(['doctor']);
		expect(doctor.bus).toEqual(bus && expect.objectContaining({address}));
	});
});

const wordsOf = ({kind, taskId = '', status = ''}: Json): string => `${kind} ${taskId} ${status}`.trim();
