import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {watch} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import path from 'node:path';
import {createFiles} from '../../source/drivers/files.ts';
import {readSession, writeSession} from '../../source/runs/session.ts';
import {holderFlags} from '../../source/wire/holder-flags.ts';

const hold = path.resolve('dist/hold-session.cjs');
const files = createFiles();

export type Holder = {
	/** The run directory. */
	readonly directory: string;
	readonly pid: number;
	readonly end: () => Promise<void>;
};

/**
 * Starts the built holder of a session with that program, and resolves once viewers can attach. It creates
 * the directory.
 */
export const startHolder = async (
	directory: string,
	argv: readonly string[],
	size: {readonly columns: number; readonly rows: number},
): Promise<Holder> => {
	await mkdir(directory, {recursive: true});
	await writeSession(files, directory, {
		...{sessionId: 's', traceId: 't', agentId: 's', bee: 'b', adapter: 'alpha', state: 'active', ...size},
		...{workspace: directory, colonyRoot: directory, startedAt: '', trueColor: true, recording: 2 ** 24},
	});
	const isUp = becomesJoinable(directory);
	const child = spawn(process.execPath, [...holderFlags, hold, directory, ...argv], {
		cwd: directory,
		stdio: 'ignore',
	});
	const over = once(child, 'exit');
	await isUp;
	const end = async (): Promise<void> => {
		child.kill('SIGTERM');
		await over;
	};
	return {directory, pid: child.pid ?? 0, end};
};

const becomesJoinable = (directory: string): Promise<void> =>
	new Promise((resolve, reject) => {
		const watcher = watch(directory, () => {
			readSession(files, directory).then(session => {
				if (session?.pid === undefined) return;
				watcher.close();
				resolve();
			}, reject);
		});
	});
