import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {copyFile, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {startBareSpawns} from './bare-spawns.ts';
import {median, quantile} from './median.ts';
import type {Row} from './row.ts';

const execute = promisify(execFile);
const server = 'redis-server';
const count = 400;
/** A timeout in milliseconds, because npm retries long if a registry is unreachable. */
const patience = 60_000;
const width = 4;

/**
 * Row 41 of docs/performance.md: BullMQ against hive, if a Redis and a registry are available. It has no
 * target.
 */
export const benchTaskQueue = async (): Promise<Row[]> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-bench-queue-'));
	try {
		return await benchInstalled(folder);
	} catch (error) {
		console.error(`BullMQ is not measured: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
		return [];
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 5});
	}
};

const benchInstalled = async (folder: string): Promise<Row[]> => {
	await execute(server, ['--version']);
	// npm runs in its own folder, so that the script settings of this repository do not apply.
	const packages = ['bullmq@6', 'ioredis@5'];
	await execute('npm', ['install', '--no-audit', '--no-fund', ...packages], {cwd: folder, timeout: patience});
	await copyFile('test/bench/queue.mjs', join(folder, 'queue.mjs'));
	const socket = join(folder, 'redis.sock');
	const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
	const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', ...durable];
	const redis = spawn(server, settings, {stdio: 'ignore'});
	const bare = startBareSpawns();
	try {
		while (!existsSync(socket)) await pause(20);
		const rounds = [];
		for (let round = 0; round < 3; round++) {
			const {milliseconds} = await bare.run({count, width, steps: [['/bin/true']]});
			const {stdout} = await execute(process.execPath, [join(folder, 'queue.mjs'), socket, String(count)], {
				timeout: patience,
			});
			const {rate, waits}: {rate: number; waits: number[]} = JSON.parse(stdout);
			rounds.push({rate, bare: (count / milliseconds) * 1000, waits});
		}
		return [rowOf(rounds)];
	} finally {
		bare.end();
		redis.kill();
		await once(redis, 'exit');
	}
};

const rowOf = (rounds: {rate: number; bare: number; waits: number[]}[]): Row => {
	const waits = rounds.flatMap(({waits}) => waits);
	return {
		...{row: 41, name: 'BullMQ: tasks a second / bare spawns a second', target: '', met: true},
		ratio: median(rounds.map(({rate, bare}) => rate / bare)),
		detail: `${median(rounds.map(({rate}) => rate)).toFixed(0)} a second; enqueued to spawned p50 ${median(waits).toFixed(1)}, p99 ${quantile(waits, 0.99).toFixed(1)} ms`,
	};
};
