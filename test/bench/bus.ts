import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openMachineLog} from '../contract/bus-drivers.ts';
import {bundleProgram, type Peer, startPeer} from '../drivers/sqlite-bus/peer.ts';
import {median, quantile} from './median.ts';
import {benchEvent, createIds, openRawLog} from './raw-log.ts';
import type {Row} from './row.ts';

/** Rows 1 to 5 of docs/performance.md. */
export const benchBus = async (): Promise<Row[]> => {
	const program = await bundleProgram('test/bench/bus-program.ts');
	try {
		return [
			await inFolder(benchSingleAppends),
			await inFolder(benchBatches),
			await inFolder(folder => benchEmitters(program.path, folder)),
			await inFolder(folder => benchWorstWait(program.path, folder)),
			await inFolder(folder => benchWakeUp(program.path, folder)),
		];
	} finally {
		await program.remove();
	}
};

const benchSingleAppends = async (folder: string): Promise<Row> => {
	const {raw, bus, append, nextId} = await openBoth(folder);
	const rounds = await repeat(9, async () => {
		const ids = Array.from({length: 300}, nextId);
		const rawTime = await timed(() => ids.forEach(raw.insert));
		const busTime = await timed(async () => {
			for (const id of ids) await append(id);
		});
		return rawTime / busTime;
	});
	await bus.close();
	raw.close();
	return atLeast(0.7, {
		row: 1,
		name: 'bus append, one per transaction / raw insert',
		ratio: median(rounds),
		detail: spread(rounds),
	});
};

const benchBatches = async (folder: string): Promise<Row> => {
	const {raw, bus, append, nextId} = await openBoth(folder);
	const compare = () =>
		repeat(5, async () => {
			const batches = Array.from({length: 20}, () => Array.from({length: 100}, nextId));
			const rawTime = await timed(() => {
				for (const ids of batches) raw.batch(ids, raw.insert);
			});
			const busTime = await timed(async () => {
				for (const ids of batches) await Promise.all(ids.map(append));
			});
			return rawTime / busTime;
		});
	const empty = await compare();
	fill(folder, nextId);
	const full = await compare();
	await bus.close();
	raw.close();
	return atLeast(0.5, {
		row: 2,
		name: 'bus append in batches of 100, 1M rows stored / raw batches',
		ratio: median(full),
		detail: `${spread(full)}; on an empty log ${spread(empty)}`,
	});
};

const benchEmitters = async (program: string, folder: string): Promise<Row> => {
	const rounds = await withEmitters(program, folder, 4, emitters =>
		repeat(5, async () => {
			const direct = await Promise.all(emitters.map(peer => tightRun(peer, 'tightRaw', 500)));
			const served = await Promise.all(emitters.map(peer => tightRun(peer, 'tight', 500, 16)));
			return total(served) / total(direct);
		}),
	);
	return atLeast(4, {
		row: 3,
		name: '4 emitters, 16 deep, through the reactor / 4 processes inserting directly',
		ratio: median(rounds),
		detail: spread(rounds),
	});
};

const benchWorstWait = async (program: string, folder: string): Promise<Row> => {
	const rounds = await withEmitters(program, folder, 8, emitters =>
		repeat(5, async () => {
			const direct = await Promise.all(emitters.map(peer => tightRun(peer, 'tightRaw', 1000)));
			const served = await Promise.all(emitters.map(peer => tightRun(peer, 'tight', 1000, 1)));
			return worst(served) / worst(direct);
		}),
	);
	return atMost(0.05, {
		row: 4,
		name: 'worst wait, 8 tight emitters through the reactor / the same inserting directly',
		ratio: median(rounds),
		detail: spread(rounds),
	});
};

const benchWakeUp = async (program: string, folder: string): Promise<Row> => {
	const count = 150;
	const rounds = await withEmitters(program, folder, 1, ([emitter], reactor) =>
		repeat(5, async () => {
			const receiving = reactor.call('receive', count);
			const {called, inserts} = pacedRun(await emitter?.call('paced', count, 3));
			const received = numbers(await receiving);
			const waits = received.map((at, index) => at - (called[index] ?? Number.NaN));
			return {ratio: median(waits) / median(inserts), p99: p99(waits), insertP99: p99(inserts), waits};
		}),
	);
	const ratio = median(rounds.map(round => round.ratio));
	const wait = median(rounds.map(round => round.p99));
	const insert = median(rounds.map(round => round.insertP99));
	const lost = rounds.reduce((sum, {waits}) => sum + count - waits.length, 0);
	return {
		row: 5,
		name: 'append until the reactor has it, p50 / raw insert p50 at the same pace',
		ratio,
		target: '<= 2.5; p99 <= 5 ms; 0 lost',
		met: ratio <= 2.5 && wait <= 5 && lost === 0,
		detail: `p99 ${wait.toFixed(1)} ms (raw insert ${insert.toFixed(1)}), ${lost} lost; ${spread(rounds.map(round => round.ratio))}`,
	};
};

const openBoth = async (folder: string) => {
	const raw = openRawLog(join(folder, 'raw.db'));
	const {bus} = await openMachineLog({file: join(folder, 'log.db'), socket: join(folder, 'sock')});
	const append = (id: string) => bus.append(benchEvent(id), {id});
	return {raw, bus, append, nextId: createIds(0)};
};

/** Writes a million rows into both stores quickly, because only their number matters. */
const fill = (folder: string, nextId: () => string) => {
	const into = (file: string, sql: string) => {
		const {database, batch, close} = openRawLog(join(folder, file));
		database.exec('PRAGMA synchronous = OFF');
		const insert = database.prepare(sql);
		batch(ids, id => insert.run(id.slice(0, 22), id));
		close();
	};
	const ids = Array.from({length: 1_000_000}, nextId);
	into('log.db', `insert into events (trace_id, id, at, body) values (?, ?, '', '{}')`);
	into('raw.db', `insert into log (trace_id, id, at, body) values (?, ?, '', '{}')`);
};

const withEmitters = async <Result>(
	program: string,
	folder: string,
	count: number,
	run: (emitters: readonly Peer[], reactor: Peer) => Promise<Result>,
): Promise<Result> => {
	const reactor = await startPeer(program, folder, '99');
	const emitters = await Promise.all(
		Array.from({length: count}, (_, index) => startPeer(program, folder, `${index}`)),
	);
	try {
		await reactor.call('serve');
		return await run(emitters, reactor);
	} finally {
		await Promise.all([reactor, ...emitters].map(peer => peer.kill()));
	}
};

type Tight = {readonly count: number; readonly worst: number};

const tightRun = async (peer: Peer, call: string, ...input: number[]): Promise<Tight> =>
	JSON.parse(JSON.stringify(await peer.call(call, ...input)));

const pacedRun = (value: unknown): {called: number[]; inserts: number[]} => JSON.parse(JSON.stringify(value));

const numbers = (value: unknown): number[] => JSON.parse(JSON.stringify(value));

const total = (runs: readonly Tight[]) => runs.reduce((sum, {count}) => sum + count, 0);

const worst = (runs: readonly Tight[]) => Math.max(...runs.map(run => run.worst));

const timed = async (work: () => unknown): Promise<number> => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};

const repeat = async <Result>(times: number, round: () => Promise<Result>): Promise<Result[]> => {
	const results: Result[] = [];
	while (results.length < times) results.push(await round());
	return results;
};

const inFolder = async <Result>(run: (folder: string) => Promise<Result>): Promise<Result> => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-bench-bus-'));
	try {
		return await run(folder);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

/** Returns the 99th percentile in milliseconds. The waits are in microseconds. */
const p99 = (waits: readonly number[]) => quantile(waits, 0.99) / 1000;

const spread = (ratios: readonly number[]) =>
	`${ratios.length} rounds, ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;

type Measured = Omit<Row, 'target' | 'met'>;

const atLeast = (limit: number, measured: Measured): Row => ({
	...measured,
	target: `>= ${limit}`,
	met: measured.ratio >= limit,
});

const atMost = (limit: number, measured: Measured): Row => ({
	...measured,
	target: `<= ${limit}`,
	met: measured.ratio <= limit,
});
