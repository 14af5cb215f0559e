import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import type {NewEvent} from '../../source/domain/event.ts';
import {openMachineLog} from '../contract/bus-drivers.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

type Started = {readonly argv: readonly string[]; readonly input?: string; readonly cwd?: string};

const rounds = 15;
/** The number of starts until the compiled code of each command is cached. */
const warmUps = 2;
const hive = path.resolve('dist/hive.cjs');
const other = [
	['task', 'create', '--body', 'Something to do', '--json'],
	['status'],
	['proposal', 'list'],
	['--help'],
];

/**
 * Rows 10 to 12 of docs/performance.md, with the command in `dist`. Row 12 includes the append to the log of
 * a real colony.
 */
export const benchStartUp = async (): Promise<Row[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'hive-bench-'));
	const stop = await startReactor(folder);
	const cwd = await makeColony(folder);
	const event = JSON.stringify({
		traceId: 'trace-1',
		type: 'INSIGHT',
		payload: {kind: 'run.summary', summary: 'Done.'},
	});
	try {
		const [floor, version, emit, ...others] = await interleave(folder, [
			{argv: ['-e', '0']},
			{argv: [hive, '--version']},
			{argv: [hive, 'event', 'emit', '--stdin'], input: event, cwd: path.join(folder, 'colony')},
			...other.map(argv => ({argv: [hive, ...argv], cwd})),
		]);
		return [
			atMost(1.15, 10, 'hive --version', version, floor),
			atMost(1.8, 11, 'hive event emit, reactor up', emit, floor),
			...others.map((times, at) => atMost(3, 12, `hive ${other[at]?.slice(0, 2).join(' ')}`, times, floor)),
		];
	} finally {
		await stop();
		await rm(folder, {recursive: true});
	}
};

const makeColony = async (folder: string): Promise<string> => {
	const cwd = path.join(folder, 'whole');
	await mkdir(cwd);
	execFileSync('git', ['init', '--quiet'], {cwd});
	await timeOf({argv: [hive, 'init'], cwd}, folder);
	return cwd;
};

/** The reactor's half of `event emit`: it appends to a real log and answers once the event is durable. */
const startReactor = async (folder: string): Promise<() => Promise<void>> => {
	const machine = path.join(folder, 'hive', 'bench');
	await mkdir(machine, {recursive: true});
	await mkdir(path.join(folder, 'colony', '.git'), {recursive: true});
	await mkdir(path.join(folder, 'colony', '.hive'));
	await writeFile(path.join(folder, 'colony', '.hive', 'colony.yaml'), 'slug: bench\n');
	const {bus, serve, close} = await openMachineLog({
		file: path.join(machine, 'log.db'),
		socket: path.join(machine, 'reactor.sock'),
	});
	await serve({
		emit: async (request, id) => {
			const event: NewEvent = JSON.parse(textOf(request));
			return {exit: 0, json: await bus.append(event, {id: id ?? ''})};
		},
	});
	return close;
};

const textOf = (request: unknown): string =>
	typeof request === 'object' && request !== null && 'text' in request ? String(request.text) : '';

/** Returns the milliseconds of each command in each round. The commands take turns. */
const interleave = async (folder: string, commands: readonly Started[]): Promise<number[][]> => {
	const times = commands.map((): number[] => []);
	for (let round = 1 - warmUps; round <= rounds; round++) {
		for (const [at, command] of commands.entries()) {
			const elapsed = await timeOf(command, folder);
			const isWarm = round > 0;
			if (isWarm) times[at]?.push(elapsed);
		}
	}
	return times;
};

/**
 * Measures from spawn to exit. With NODE_EXTRA_CA_CERTS node parses every certificate at its start, on both
 * sides of a ratio.
 */
const timeOf = async ({argv, input = '', cwd}: Started, home: string): Promise<number> => {
	const {NODE_EXTRA_CA_CERTS: _, ...inherited} = process.env;
	const env = {...inherited, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home};
	const begin = performance.now();
	const child = spawn(process.execPath, argv, {cwd, env, stdio: 'pipe'});
	child.stdin.end(input);
	const [[exitCode], said] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)]);
	const elapsed = performance.now() - begin;
	if (exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}: ${said}`);
	return elapsed;
};

const atMost = (
	limit: number,
	row: number,
	name: string,
	times: number[] = [],
	floor: number[] = [],
): Row => {
	const ratio = median(times) / median(floor);
	return {
		row,
		name: `${name} / node -e 0`,
		ratio,
		target: `<= ${limit}`,
		met: ratio <= limit,
		detail: `${median(times).toFixed(1)} ms / ${median(floor).toFixed(1)} ms, ${rounds} rounds`,
	};
};
