import {type ChildProcess, fork} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {build} from 'esbuild';

/** Working directory of vitest and the npm scripts. */
const checkout = process.cwd();

/** Bundles a TypeScript program to a module that resolves the packages of this checkout. */
export const bundleProgram = async (entry: string) => {
	const path = join(checkout, 'node_modules/.cache/hive-test', `${randomUUID()}.mjs`);
	await build({
		entryPoints: [join(checkout, entry)],
		outfile: path,
		bundle: true,
		platform: 'node',
		format: 'esm',
		packages: 'external',
		logLevel: 'error',
	});
	return {path, remove: () => rm(path, {force: true})};
};

export type Peer = {
	readonly child: ChildProcess;
	readonly call: (name: string, ...input: unknown[]) => Promise<unknown>;
	/** Sends a call without waiting for its answer. */
	readonly send: (name: string, ...input: unknown[]) => void;
	/** Ids that were acknowledged to the process. */
	readonly acknowledged: Set<string>;
	/** Resolves when that many ids are acknowledged. */
	readonly acknowledges: (count: number) => Promise<void>;
	readonly kill: () => Promise<void>;
};

export const startPeer = async (program: string, ...args: string[]): Promise<Peer> => {
	const {NODE_EXTRA_CA_CERTS: _, ...env} = process.env;
	const child = fork(program, args, {env});
	const answers = new Map<number, (message: {value?: unknown; error?: string}) => void>();
	const acknowledged = new Set<string>();
	let n = 0;
	child.on('message', (message: {n?: number; acknowledged?: string; value?: unknown; error?: string}) => {
		if (message.acknowledged) acknowledged.add(message.acknowledged);
		if (message.n) answers.get(message.n)?.(message);
	});
	await once(child, 'message');
	return {
		child,
		acknowledged,
		call: (call, ...input) =>
			new Promise((resolve, reject) => {
				n += 1;
				answers.set(n, ({value, error}) => (error === undefined ? resolve(value) : reject(new Error(error))));
				child.send({n, call, input});
			}),
		send: (call, ...input) => {
			child.send({n: 0, call, input});
		},
		acknowledges: async count => {
			while (acknowledged.size < count) await once(child, 'message');
		},
		kill: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exited = once(child, 'exit');
			child.kill('SIGKILL');
			await exited;
		},
	};
};
