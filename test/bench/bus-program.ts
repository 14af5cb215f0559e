// An emitter or the reactor of the bus benchmarks, driven by messages.
import {setTimeout as pause} from 'node:timers/promises';
import {openMachineLog} from '../contract/bus-drivers.ts';
import {benchEvent, createIds, openRawLog} from './raw-log.ts';

const [folder = '', prefix = '0'] = process.argv.slice(2);
const log = await openMachineLog({file: `${folder}/log.db`, socket: `${folder}/reactor.sock`});
const {bus} = log;
const raw = openRawLog(`${folder}/raw.db`);
const nextId = createIds(Number(prefix) * 10_000_000);
const append = (id: string) => bus.append(benchEvent(id), {id});
/** Returns microseconds on a clock that all processes of the machine share. */
const now = () => Number(process.hrtime.bigint() / 1000n);

/** Appends as often as possible, `depth` at once, and returns the worst wait in microseconds. */
const tight = async (milliseconds: number, depth: number) => {
	const end = now() + milliseconds * 1000;
	let count = 0;
	let worst = 0;
	const work = async () => {
		for (let start = now(); start < end; start = now()) {
			await append(nextId());
			count += 1;
			worst = Math.max(worst, now() - start);
		}
	};
	await Promise.all(Array.from({length: depth}, work));
	return {count, worst};
};

const tightRaw = async (milliseconds: number) => {
	const end = now() + milliseconds * 1000;
	let count = 0;
	let worst = 0;
	for (let start = now(); start < end; start = now()) {
		raw.insert(nextId());
		count += 1;
		worst = Math.max(worst, now() - start);
	}
	return {count, worst};
};

/**
 * Alternates an append and a raw insert, each after a pause. Returns the start of each append and the
 * duration of each insert.
 */
const paced = async (count: number, gap: number) => {
	const called: number[] = [];
	const inserts: number[] = [];
	for (let index = 0; index < count; index++) {
		await pause(gap);
		called.push(now());
		await append(nextId());
		await pause(gap);
		const start = now();
		raw.insert(nextId());
		inserts.push(now() - start);
	}
	return {called, inserts};
};

/** Returns the times at which the next events reached the follower. */
const receive = async (count: number) => {
	const received: number[] = [];
	for await (const batch of bus.follow({after: await bus.last(), signal: new AbortController().signal})) {
		for (const _ of batch) received.push(now());
		if (received.length >= count) break;
	}
	return received;
};

const serve = async () => {
	await log.serve();
};

const calls = {tight, tightRaw, paced, receive, serve};
process.on('message', async ({n, call, input}: {n: number; call: keyof typeof calls; input: never[]}) => {
	const perform: (...input: never[]) => Promise<unknown> = calls[call];
	process.send?.({n, value: await perform(...input)});
});
process.send?.({ready: true});
