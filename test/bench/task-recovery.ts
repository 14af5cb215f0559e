import {monotonic, startBareSpawns} from './bare-spawns.ts';
import {type BusyColony, createBusyColony, sayBegun} from './busy-colony.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const width = 4;
const traces = 50;
const rounds = 5;

/** Row 38 of docs/performance.md: the reactor is killed with 4 runs in flight and 46 waiting tasks. */
export const benchTaskRecovery = async (): Promise<Row[]> => {
	const bare = startBareSpawns();
	try {
		const played: (Played & {whole: number; node: number})[] = [];
		let twice = 0;
		for (let round = 0; round < rounds; round++) {
			const node = (await bare.run({steps: [[process.execPath, '-e', '0']]})).milliseconds;
			const whole = await play(false);
			const killed = await play(true);
			twice += killed.twice;
			played.push({...killed, whole: whole.total, node});
		}
		const resumed = median(played.map(({resumed}) => resumed));
		const node = median(played.map(({node}) => node));
		const ratio = median(played.map(({total, whole}) => total / whole));
		return [
			{
				...{row: 38, name: 'start after kill -9 to the next agent begun, ms', ratio: resumed},
				...{target: '<= 600', met: resumed <= 600},
				detail: `${(resumed / node).toFixed(1)} of node -e 0 (${node.toFixed(0)} ms), ${rounds} rounds`,
			},
			{
				...{row: 38, name: `${traces} tasks with a kill -9 / without`, ratio},
				...{target: '<= 1.3; 0 twice', met: ratio <= 1.3 && twice === 0},
				detail: `${twice} started twice; ${median(played.map(({total}) => total)).toFixed(0)} ms with it`,
			},
		];
	} finally {
		bare.end();
	}
};

type Played = {
	/** The number of agents that started for a task with an earlier agent. */
	readonly twice: number;
	/** Milliseconds from the first append to the last completion. */
	readonly total: number;
	/** Milliseconds from the start after the kill until an agent started. */
	readonly resumed: number;
};

/** Plays one round in its own colony, so that earlier rounds cost nothing. */
const play = async (isKilled: boolean): Promise<Played> => {
	const colony = await createBusyColony({script: `${sayBegun}sleep 0.1\n`, parallel: width});
	try {
		await colony.startReactor().then(({end}) => end('SIGINT'));
		return await work(colony, isKilled);
	} finally {
		await colony.dispose();
	}
};

const work = async ({startReactor, plan, begun, completed}: BusyColony, isKilled: boolean) => {
	const reactor = await startReactor();
	const names: string[] = [];
	const beginNext = async (): Promise<number> => {
		const {name, at} = await begun();
		names.push(name);
		return at;
	};
	const begin = monotonic();
	await Promise.all(Array.from({length: traces}, (_, index) => plan(`trace-${index}`, ['task'])));
	while (names.length < width) await beginNext();
	let resumed = Number.NaN;
	let next: Promise<unknown> | undefined;
	if (isKilled) {
		await reactor.end('SIGKILL');
		const restart = monotonic();
		next = startReactor();
		resumed = (await beginNext()) - restart;
	}
	await completed(traces);
	const total = monotonic() - begin;
	await next;
	while (new Set(names).size < traces) await beginNext();
	return {twice: names.length - new Set(names).size, total, resumed};
};
