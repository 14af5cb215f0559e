import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {type Evidence, linesOf, type TracedEvent, type TracedWork} from './checks.ts';
import {findLocks} from './faults.ts';
import {findProcesses} from './found-processes.ts';
import type {Ended, Scratch} from './scratch.ts';

type Asked = {
	readonly scratch: Scratch;
	readonly traces: readonly {
		readonly traceId: string;
		readonly planned: readonly string[];
		readonly isMerged: boolean;
	}[];
	readonly deleted: ReadonlySet<string>;
};

type Whole = Evidence & {
	/** False if the time was too short to read all of it; then it proves nothing. */
	readonly isWhole: boolean;
};

type TraceStatus = Pick<TracedWork, 'traceId' | 'tasks'>;

export const readStatus = async (scratch: Scratch, limitMs: number): Promise<readonly TraceStatus[]> => {
	const {exitCode, stdout} = await scratch.hive(['status', '--json'], limitMs);
	return exitCode === 0 ? (JSON.parse(stdout) as {traces: TraceStatus[]}).traces : [];
};

/** Reads what the checks need. A colony that is not at rest has open runs, worktrees and processes. */
export const collectEvidence = async (
	{scratch, traces, deleted}: Asked,
	{isAtRest, left}: {readonly isAtRest: boolean; readonly left: () => number},
): Promise<Whole> => {
	let isWhole = true;
	const whole = (ended: Ended): Ended => {
		if (ended.exitCode === null) isWhole = false;
		return ended;
	};
	const ask: Ask = {
		git: async args => whole(await scratch.git(args, left())),
		hive: async args => whole(await scratch.hive(args, left())),
	};
	// First, since what follows starts processes.
	const processes = isAtRest ? await remainingProcesses(scratch) : [];
	const status = await readStatus(scratch, left());
	const works: TracedWork[] = [];
	for (const {traceId, planned, isMerged} of traces) {
		const {stdout} = await ask.hive(['replay', traceId, '--json']);
		const log = isWhole ? linesOf(stdout).map(line => JSON.parse(line) as TracedEvent) : [];
		const tasks = status.find(trace => trace.traceId === traceId)?.tasks ?? [];
		works.push({traceId, planned, isMerged, tasks, log});
	}
	const trailers = '--format=%(trailers:key=Hive-Trace,valueonly,separator=%x20)';
	const landed = await ask.git(['log', '--first-parent', trailers, scratch.base]);
	const evidence = {
		starts: isAtRest ? await readStarts(scratch) : [],
		acknowledged: await readAcknowledged(scratch),
		traces: works,
		base: await readBase(ask, scratch),
		own: await readOwn(scratch),
		landings: linesOf(landed.stdout),
		damage: await findDamage(ask),
		remains: isAtRest ? [...processes, ...(await findRemains(ask, scratch, deleted))] : [],
	};
	return {...evidence, isWhole: isWhole && (status.length > 0 || traces.length === 0)};
};

type Ask = Readonly<Record<'git' | 'hive', (args: readonly string[]) => Promise<Ended>>>;

const readStarts = async (scratch: Scratch): Promise<Evidence['starts']> =>
	(await scratch.noted('starts')).map(line => {
		const [agentId = '', traceId = ''] = line.split(' ');
		return {agentId, traceId};
	});

/** A line that a killed agent cut short is no acknowledgement. */
const readAcknowledged = async (scratch: Scratch): Promise<string[]> =>
	(await scratch.noted('answers')).flatMap(line => {
		const [, id] = /"ok":true.*"id":"([^"]+)"/.exec(line) ?? [];
		return id === undefined ? [] : [id];
	});

const readBase = async ({git}: Ask, {base}: Scratch): Promise<Map<string, string>> => {
	const files = new Map<string, string>();
	const {stdout} = await git(['grep', '--null', '-I', '-e', '', base, '--', 'hive-torture/']);
	for (const line of linesOf(stdout)) {
		const [name = '', text = ''] = line.split('\0');
		const path = name.slice(base.length + 1);
		files.set(path, `${files.get(path) ?? ''}${text}\n`);
	}
	return files;
};

const readOwn = ({own, root}: Scratch): Promise<Evidence['own']> =>
	Promise.all(
		[...own].map(async ([path, text]) => ({
			path,
			text,
			found: await readFile(join(root, path), 'utf8').catch(() => undefined),
		})),
	);

const findDamage = async ({git, hive}: Ask): Promise<string[]> => {
	const checked = await git(['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
	const complaints = linesOf(checked.stdout + checked.stderr).filter(line => !line.startsWith('notice:'));
	const verified = await hive(['bus', 'verify', '--json']);
	const isRead = verified.exitCode === 0 || verified.exitCode === null;
	return [
		...(checked.exitCode === 0 ? [] : complaints.map(line => `Git says: ${line}`)),
		...(isRead ? [] : [`The log is not whole: ${(verified.stdout || verified.stderr).slice(0, 400)}`]),
	];
};

/** The time in milliseconds in which processes that were told to end are gone. */
const momentMs = 2000;

const remainingProcesses = async ({folder}: Scratch): Promise<string[]> => {
	for (const began = performance.now(); findProcesses(folder).length > 0; await pass(50))
		if (performance.now() - began > momentMs) break;
	return findProcesses(folder).map(
		({pid, command}) => `The process ${pid} is alive: ${command.slice(0, 200)}`,
	);
};

const findRemains = async ({git}: Ask, {root}: Scratch, deleted: ReadonlySet<string>): Promise<string[]> => {
	const refs = await git(['for-each-ref', '--format=%(refname)', 'refs/hive/run', 'refs/hive/merge']);
	const namesIn = (folder: string) => readdir(join(root, folder)).catch((): string[] => []);
	const [worktrees, records, scratch, locks] = await Promise.all([
		namesIn('.hive/worktrees'),
		namesIn('.git/worktrees'),
		namesIn('.git/hive'),
		findLocks(root),
	]);
	return [
		...worktrees.map(name => `The worktree ${name} is there.`),
		...records
			.filter(name => !deleted.has(name))
			.map(name => `Git's record of the worktree ${name} is there.`),
		...linesOf(refs.stdout).map(ref => `The ref ${ref} is there.`),
		...locks.map(path => `The lock ${path} is there.`),
		...scratch
			.filter(name => name.startsWith('scratch-'))
			.map(name => `The folder .git/hive/${name} is there.`),
	];
};
