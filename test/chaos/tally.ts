import {cpus} from 'node:os';
import type {ScratchColony} from './scratch-colony.ts';

/** The result of one scene: figures to add up, times in milliseconds, and broken promises. */
export type Shown = {
	readonly figures: Readonly<Record<string, number>>;
	readonly times?: readonly number[];
	readonly breaches: readonly string[];
	/** The folder of the scene with the server's data. It is kept after a breach. */
	readonly folder: string;
	readonly seed: number;
};

/** Plays a scene in a colony, which is removed if no promise broke. A scene that throws is a breach. */
export const showScene = async (
	colony: ScratchColony,
	seed: number,
	play: () => Promise<Pick<Shown, 'figures' | 'times' | 'breaches'>>,
): Promise<Shown> => {
	const shown = await play().catch((error: unknown) => ({
		figures: {},
		breaches: [`it broke off: ${error instanceof Error ? error.message : String(error)}`],
	}));
	await colony.end();
	if (shown.breaches.length === 0) await colony.remove();
	const folder = [colony.folder, colony.server?.store].filter(Boolean).join(', ');
	return {...shown, folder, seed};
};

/** Plays the scenes of several seeds, at most two at a time, because the machine is shared. */
export const playScenes = async (
	seeds: readonly number[],
	play: (seed: number) => Promise<Shown>,
	report: (shown: Shown) => void = () => {},
): Promise<Shown[]> => {
	const waiting = [...seeds];
	const shown: Shown[] = [];
	const worker = async () => {
		for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
			const scene = await play(seed);
			shown.push(scene);
			report(scene);
		}
	};
	await Promise.all(Array.from({length: Math.min(2, cpus().length)}, worker));
	return shown;
};

export const sumOf = (scenes: readonly Shown[]): Record<string, number> => {
	const sums: Record<string, number> = {};
	for (const {figures} of scenes)
		for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + value;
	return sums;
};

/** Formats median, 99th percentile and maximum, or returns an empty text without times. */
export const spreadOf = (scenes: readonly Shown[]): string => {
	const times = scenes.flatMap(({times: all = []}) => all).toSorted((one, other) => one - other);
	if (times.length === 0) return '';
	const at = (share: number) =>
		Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
	return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
};
