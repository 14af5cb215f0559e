import {randomUUID} from 'node:crypto';
import {type Dirent, existsSync, readdirSync, readFileSync} from 'node:fs';
import {link, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {errorCode} from '../../domain/error-code.ts';
import {parseObject} from '../../domain/json.ts';
import type {ProcessIdentity} from '../../ports/processes.ts';
import type {Member} from './family.ts';

export type Exit = {
	readonly exitCode: number;
	readonly signal?: string;
	readonly finishedAt: string;
	readonly neverBegan?: true;
};

/** Contents of `started`. If it has neither a supervisor nor a stop, the record is damaged. */
export type Started = {
	readonly supervisor?: ProcessIdentity;
	/** When the run began, in the unit of process start times. */
	readonly since?: string;
	/** Set if the run was stopped before any supervisor began it. */
	readonly stopped?: Exit;
};

/** Returns undefined if there is no `started`. */
export const readStarted = async (runDir: string): Promise<Started | undefined> => {
	const text = readText(join(runDir, 'started'));
	if (text === undefined) return undefined;
	const {pid, startTime, bootId, stopped, at, since} = parseObject(text) ?? {};
	if (stopped === true && typeof at === 'string')
		return {stopped: {exitCode: 143, finishedAt: at, neverBegan: true}};
	if (!isPid(pid) || typeof startTime !== 'string' || typeof bootId !== 'string') return {};
	return {supervisor: {pid, startTime, bootId}, ...(typeof since === 'string' ? {since} : {})};
};

/**
 * Returns the supervisors that may still have processes of the run below them. These are the agent's
 * supervisor, and those of the programs that ran beside it.
 */
export const readSupervisors = async (runDir: string): Promise<ProcessIdentity[]> => {
	const started = await Promise.all(
		foldersOf(runDir)
			.filter(folder => !sawNothingLeft(folder))
			.map(readStarted),
	);
	return started.flatMap(record => record?.supervisor ?? []);
};

/**
 * True if each supervisor of the run recorded, when its agent had ended, that it had no descendants any more
 * (docs/architecture.md §4). Always false for a run that was asked to stop.
 */
export const leftNothing = async (runDir: string): Promise<boolean> => {
	if (existsSync(join(runDir, 'stop'))) return false;
	const begun = foldersOf(runDir).filter(folder => existsSync(join(folder, 'started')));
	return begun.length > 0 && begun.every(sawNothingLeft);
};

const sawNothingLeft = (folder: string): boolean =>
	parseObject(readText(join(folder, 'exit')) ?? '')?.leftNothing === true;

/**
 * Returns the run's directory and the similar folders in it, one for each program that ran beside the agent.
 */
const foldersOf = (runDir: string): string[] => {
	const inside = readEntries(runDir).filter(entry => entry.isDirectory());
	return [runDir, ...inside.map(({name}) => join(runDir, name))];
};

const readEntries = (folder: string): readonly Dirent[] => {
	try {
		return readdirSync(folder, {withFileTypes: true});
	} catch {
		return [];
	}
};

/** Returns the agent's process. It is the supervisor's child, so its boot is that of `started`. */
export const readAgent = async (runDir: string): Promise<ProcessIdentity | undefined> => {
	const started = await readStarted(runDir);
	const {pid, startTime} = parseObject(readText(join(runDir, 'agent')) ?? '') ?? {};
	if (!started?.supervisor || !isPid(pid) || typeof startTime !== 'string') return undefined;
	return {pid, startTime, bootId: started.supervisor.bootId};
};

export const readExit = async (runDir: string): Promise<Exit | undefined> => {
	const {exitCode, signal, finishedAt, neverBegan} = parseObject(readText(join(runDir, 'exit')) ?? '') ?? {};
	if (typeof exitCode !== 'number' || typeof finishedAt !== 'string') return undefined;
	return {
		exitCode,
		finishedAt,
		...(typeof signal === 'string' ? {signal} : {}),
		...(neverBegan === true ? {neverBegan} : {}),
	};
};

/**
 * Prevents any later supervisor from beginning the run, and records an exit of 143. Returns false if one
 * began first.
 */
export const forbid = async (runDir: string, at: string): Promise<boolean> => {
	if (!(await createWhole(join(runDir, 'started'), {stopped: true, at}))) return false;
	const exit = {exitCode: 143, signal: 'SIGTERM', finishedAt: at, neverBegan: true};
	await createWhole(join(runDir, 'exit'), exit);
	return true;
};

/** Asks a supervisor that has not started its agent yet not to start it. */
export const askToStop = async (runDir: string): Promise<void> => {
	await createWhole(join(runDir, 'stop'), {});
};

/** True for a session: the agent's process then holds the terminal in which the program runs. */
export const isSession = (runDir: string): boolean => readText(join(runDir, 'session.json')) !== undefined;

/**
 * Returns the members of the run at the time it was asked to stop. Once the agent is gone, nothing else
 * identifies members without its mark.
 */
export const readFamily = async (runDir: string): Promise<Member[]> => {
	const {members} = parseObject(readText(join(runDir, 'family')) ?? '') ?? {};
	return Array.isArray(members) ? members.filter(isMember) : [];
};

/**
 * Stores the members, so that another process can finish if this one is killed before all of them are gone.
 */
export const keepFamily = async (runDir: string, family: readonly Member[]): Promise<void> => {
	const members = family.map(({pid, startTime}) => ({pid, startTime}));
	const temporary = join(runDir, `family.${randomUUID()}`);
	await writeFile(temporary, `${JSON.stringify({members})}\n`, {flag: 'wx', mode: 0o600});
	await rename(temporary, join(runDir, 'family'));
};

/** Creates the file with all its text at once. Returns false if it exists. */
const createWhole = async (path: string, record: object): Promise<boolean> => {
	const temporary = `${path}.${randomUUID()}`;
	await writeFile(temporary, `${JSON.stringify(record)}\n`, {flag: 'wx', mode: 0o600});
	try {
		await link(temporary, path);
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	} finally {
		await rm(temporary);
	}
};

/** Synchronous: reading a small file takes less time than a call of the thread pool. */
const readText = (path: string): string | undefined => {
	// For a missing file this check is much cheaper than the error of reading.
	if (!existsSync(path)) return undefined;
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
};

const isMember = (value: unknown): value is Member => {
	const {pid, startTime}: Record<string, unknown> = {...Object(value)};
	return isPid(pid) && typeof startTime === 'string';
};

const isPid = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 1;
