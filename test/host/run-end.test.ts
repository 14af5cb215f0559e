import {appendFile, mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {createRunEnd} from '../../source/host/logs/run-end.ts';
import type {Processes, RunState} from '../../source/ports/processes.ts';
import {followLog} from '../../source/runs/follow-log.ts';
import {createLogReader} from '../../source/runs/read-log.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {claimOf, finishOf, item, planOf, reduceAll, traceId} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';

/** A run whose state the test sets, and whose log is a real file. */
const scene = async (first: RunState['state']) => {
	const root = await mkdtemp(join(tmpdir(), 'hive-follow-'));
	onTestFinished(() => rm(root, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const directory = join(root, '.hive/runs', traceId, 'run1');
	await mkdir(directory, {recursive: true});
	const bus = createMemoryBus({clock: createSystemClock()});
	const events = [planOf(item('a')), claimOf('run1', 'a')];
	for (const [at, event] of events.entries()) await bus.append(event, {id: String(at)});
	let state: RunState['state'] = first;
	let gone = () => {};
	const ended = new Promise<void>(resolve => {
		gone = resolve;
	});
	// Following uses only these two functions.
	const processes = {inspect: async () => ({state}), ended: () => ended} as unknown as Processes;
	const run = reduceAll(...events).runs.get('run1');
	if (run === undefined) throw new Error('There is no run.');
	const stop = new AbortController();
	const files = createFiles();
	const path = join(directory, 'stdout.log');
	const colony = {...(await colonyFrom({})), root};
	const chunks = followLog(files, createLogReader(files, path), {
		folder: directory,
		signal: stop.signal,
		isOver: createRunEnd({processes, bus: expectNoSecrets(bus), colony}, {traceId, run, sequence: 2}),
	});
	return {
		bus,
		stop,
		write: (text: string) => appendFile(path, text),
		become: (next: RunState['state']) => {
			state = next;
		},
		gone,
		/** Returns the next piece of output, or undefined at the end. */
		next: async () => {
			const {value, done} = await chunks.next();
			return done ? undefined : Buffer.from(value).toString();
		},
	};
};

describe('following a run', () => {
	it('yields output as it is written, and ends after the last of it', async () => {
		const {write, next, become, gone} = await scene('alive');
		await write('one\n');
		expect(await next()).toBe('one\n');
		const second = next();
		await write('two\n');
		expect(await second).toBe('two\n');
		const last = next();
		become('ended');
		await write('three\n');
		expect(await last).toBe('three\n');
		gone();
		expect(await next()).toBeUndefined();
	});

	it('waits for a run that has not begun, and ends when the run is closed without beginning', async () => {
		const {next, bus} = await scene('unbegun');
		const end = next();
		await bus.append(finishOf('run1', 'cancelled'), {id: 'finished'});
		expect(await end).toBeUndefined();
	});

	it('ends when the supervisor vanishes without recording an end', async () => {
		const {next, become, gone} = await scene('alive');
		const end = next();
		become('vanished');
		gone();
		expect(await end).toBeUndefined();
	});

	it('ends when it is aborted', async () => {
		const {next, stop} = await scene('alive');
		const end = next();
		stop.abort();
		expect(await end).toBeUndefined();
	});
});
