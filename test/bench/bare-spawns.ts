import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

type Spawns = {
	/** The number of repetitions and of parallel ones. Both are 1 by default. */
	readonly count?: number;
	readonly width?: number;
	/** Commands, run one after the other. */
	readonly steps: readonly (readonly string[])[];
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
};

export type BareSpawns = {
	/**
	 * Resolves with the time of the first spawn, on the clock of `monotonic`, and the milliseconds until all
	 * ended.
	 */
	readonly run: (spawns: Spawns) => Promise<{readonly startedAt: number; readonly milliseconds: number}>;
	readonly end: () => void;
};

/** Returns milliseconds on a clock that all processes of the machine share. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Starts a small node process that spawns on request, one request after the other. */
export const startBareSpawns = (): BareSpawns => {
	const {NODE_EXTRA_CA_CERTS: _, ...env} = process.env;
	const child = spawn(process.execPath, ['test/bench/bare-spawns.mjs'], {
		env,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	return {
		run: async spawns => {
			child.stdin.write(`${JSON.stringify({count: 1, width: 1, ...spawns})}\n`);
			return JSON.parse((await lines.next()).value);
		},
		end: () => child.stdin.end(),
	};
};
