import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {type AskedHost, type HostRule, readHostRule} from '../../../domain/host-rule.ts';
import {createProxy} from './serve-proxy.ts';

/** Stands in an argv for the path of the proxy's socket, which is known at the start only. */
export const socketPlaceholder = '{proxy-socket}';

/** Maximum hosts in the record. */
const maxAsked = 100;

/** Signals for the process group, which the program inside gets too. This process ends with that program. */
export const passedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Serves the hosts to a contained program, which it starts, and ends with its exit code. The hosts that were
 * asked for are written to a file.
 *
 * @param given the file, the rules as JSON, and the argv of the contained program
 */
export const runOutside = ([record = '', rules = '[]', ...argv]: readonly string[]): void => {
	for (const signal of passedSignals) process.on(signal, () => {});
	const socket = socketNear(record);
	const asked = new Map<string, AskedHost>();
	const note = (host: AskedHost): void => {
		const key = `${host.allowed} ${host.host}:${host.port}`;
		if (asked.has(key) || asked.size >= maxAsked) return;
		asked.set(key, host);
		writeFileSync(record, JSON.stringify([...asked.values()]), {mode: 0o600});
	};
	const read: readonly HostRule[] = (JSON.parse(rules) as string[]).flatMap(text => readHostRule(text) ?? []);
	createProxy(read, note).listen(socket, () => {
		const [program = '', ...args] = argv.map(word => word.replace(socketPlaceholder, () => socket));
		runToExit(program, args, process.env);
	});
};

/** Maximum characters of a socket's path that every kernel takes. */
const maxSocketPath = 100;

/**
 * A path for the socket: beside the file, where hive removes it after the run, else in a folder of its own
 * that this process removes.
 */
const socketNear = (record: string): string => {
	const near = join(dirname(record), 'proxy.sock');
	if (near.length <= maxSocketPath) {
		rmSync(near, {force: true});
		return near;
	}
	const folder = mkdtempSync(join(tmpdir(), 'hive-proxy-'));
	process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
	return join(folder, 'socket');
};

/** Starts a program with the streams of this process, and ends with its exit code. */
export const runToExit = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): void => {
	const child = spawn(program, args, {stdio: 'inherit', env});
	child.on('error', error => {
		process.stderr.write(`${program}: ${error.message}\n`);
		process.exit('code' in error && error.code === 'ENOENT' ? 127 : 126);
	});
	child.on('close', (exitCode, signal) =>
		process.exit(exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])),
	);
};
