import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

type Spawns = {
	/** How often the steps are taken, and by how many at once; 1 without them. */
	readonly count?: number;
	readonly width?: number;
	/** Commands, one after the other. */
	readonly steps: readonly (readonly string[])[];
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
};

export type BareSpawns = {
	/** When the first was spawned, on the clock of `monotonic`, and how long it took until all had ended. */
	readonly run: (spawns: Spawns) => Promise<{readonly startedAt: number; readonly milliseconds: number}>;
	readonly end: () => void;
};

/** Milliseconds on a clock that all processes of the machine share. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

/** A small node that spawns what it is asked to, one request after the other. */
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
