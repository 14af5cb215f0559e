import {readdirSync, readFileSync} from 'node:fs';
import {expect, test, vi} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';

/** Set `HIVE_SOAK_RUNS=200` for the long version. */
const rounds = 4;
const runsOfRound = Math.ceil(Number(process.env.HIVE_SOAK_RUNS ?? 24) / rounds);

const fdsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const megabytesOf = (pid: number): number =>
	Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test.skipIf(process.platform !== 'linux')(
	'open files and memory of a reactor do not grow with the number of runs',
	async () => {
		const colony = await createColony({
			bees: {plain: {script: 'echo done', post_exec: 'true'}},
			settings: {defaults: {energy_budget: 1000}},
		});
		const reactor = colony.follow(['run']);
		const samples: {fds: number; megabytes: number}[] = [];
		for (let round = 0; round < rounds; round++) {
			const tasks = Array.from({length: runsOfRound}, (_, at) => ({
				taskId: `t${at}`,
				title: 'x',
				bee: 'plain',
			}));
			const {traceId} = await colony.ask<{traceId: string}>(['task', 'create', '--plan', '-'], {
				input: JSON.stringify({tasks}),
			});
			await reactor.event({kind: 'task.completed', taskId: `t${runsOfRound - 1}`}, await lastOf(reactor));
			expect(
				(await colony.ask<{tasks: {status: string}[]}>(['task', 'list', '--trace', traceId])).tasks.every(
					({status}) => status === 'completed',
				),
			).toBe(true);
			samples.push({fds: fdsOf(reactor.pid), megabytes: megabytesOf(reactor.pid)});
		}
		process.stdout.write(`${rounds * runsOfRound} runs: ${JSON.stringify(samples)}\n`);
		const [first, last] = [samples[0], samples.at(-1)];
		// A git process that still runs after the last task has pipes open for a moment.
		const most = Math.min(...samples.map(({fds}) => fds)) + 3;
		await vi.waitFor(() => expect(fdsOf(reactor.pid)).toBeLessThanOrEqual(most), {timeout: timeoutMs});
		expect(last?.megabytes).toBeLessThan((first?.megabytes ?? 0) + 60);
	},
	Math.max(240_000, rounds * runsOfRound * 2000),
);

const lastOf = async ({
	events,
}: {
	events: readonly {sequence: number; payload: {kind: string; [field: string]: unknown}}[];
}): Promise<number> =>
	events.findLast(
		({payload}) => payload.kind === 'task.completed' && payload.taskId === `t${runsOfRound - 1}`,
	)?.sequence ?? 0;
