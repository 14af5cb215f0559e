import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {spawn} from '@lydell/node-pty';
import {median} from './median.ts';
import type {Row} from './row.ts';

const rounds = 9;
const hive = path.resolve('dist/hive.cjs');
const run = promisify(execFile);

/** Rows 13, 14 and 57: the time a person waits after typing `hive`, in a real pty. */
export const benchFirstPaint = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-bench-'));
	const hello = path.resolve('node_modules', `.hive-bench-hello-${process.pid}.mjs`);
	// With this variable node parses every certificate at its start, on both sides of a ratio.
	const {NODE_EXTRA_CA_CERTS: _, ...inherited} = process.env;
	const env = {
		...inherited,
		HOME: folder,
		HIVE_CONSOLE_BIND: '127.0.0.1:0',
		XDG_CONFIG_HOME: '',
		XDG_CACHE_HOME: '',
		XDG_STATE_HOME: '',
		TERM: 'xterm-256color',
		LANG: 'C.UTF-8',
		NODE_ENV: 'production',
	};
	try {
		await writeFile(hello, helloProgram);
		await makeColony(folder, env);
		const times = {
			floor: [] as number[],
			skeleton: [] as number[],
			frame: [] as number[],
			ink: [] as number[],
			beside: [] as number[],
		};
		for (let round = -1; round < rounds; round++) {
			const floor = await untilSeen(['-e', 'process.stdout.write("here")'], 'here', folder, env);
			const skeleton = await untilSeen([hive], '┌', folder, env);
			const frame = await untilSeen([hive], 'No traces yet', folder, env);
			const beside = await untilSeen([hive, '--console'], 'No traces yet', folder, env);
			const ink = await untilSeen([hello], 'hello', folder, env);
			if (round < 0) continue;
			times.floor.push(floor);
			times.skeleton.push(skeleton);
			times.frame.push(frame);
			times.ink.push(ink);
			times.beside.push(beside);
		}
		return [
			atMost(1.6, 13, 'dashboard skeleton / node that writes one word', times.skeleton, times.floor),
			atMost(0.4, 14, 'dashboard first full frame / unbundled Ink hello', times.frame, times.ink),
			atMost(1.1, 57, 'dashboard first full frame with --console / without', times.beside, times.frame),
		];
	} finally {
		await rm(folder, {recursive: true, force: true});
		await rm(hello, {force: true});
	}
};

const helloProgram = `import {createElement} from 'react';
import {render, Text} from 'ink';
render(createElement(Text, undefined, 'hello'));
setInterval(() => {}, 1000);
`;

const makeColony = async (folder: string, env: NodeJS.ProcessEnv): Promise<void> => {
	const inFolder = {cwd: folder, env};
	await run('git', ['init', '-q', '-b', 'main'], inFolder);
	await run(
		'git',
		['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first'],
		inFolder,
	);
	await run(process.execPath, [hive, 'init'], inFolder);
	await run(process.execPath, [hive, 'status'], inFolder);
};

/** Returns the milliseconds from the start of the program until it has written that text. */
const untilSeen = async (
	args: readonly string[],
	text: string,
	cwd: string,
	env: NodeJS.ProcessEnv,
): Promise<number> => {
	const start = performance.now();
	const pty = spawn(process.execPath, [...args], {cols: 120, rows: 36, cwd, env});
	const ended = new Promise<void>(resolve => void pty.onExit(() => resolve()));
	let seen = '';
	const time = await new Promise<number>((resolve, reject) => {
		pty.onData(data => {
			seen += data;
			if (seen.includes(text)) resolve(performance.now() - start);
		});
		void ended.then(() => reject(new Error(`the program ended without "${text}": ${seen}`)));
	});
	pty.kill('SIGTERM');
	await ended;
	return time;
};

const atMost = (
	most: number,
	row: number,
	name: string,
	times: readonly number[],
	floor: readonly number[],
): Row => {
	const ratio = median(times) / median(floor);
	const detail = `${median(times).toFixed(0)} against ${median(floor).toFixed(0)} ms, ${times.length} rounds`;
	return {row, name, ratio, target: `<= ${most}`, met: ratio <= most, detail};
};
