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

/** What `started` says. Neither a supervisor nor a stop: the record is damaged. */
export type Started = {
	readonly supervisor?: ProcessIdentity;
	/** When the run began, as start times of processes are counted. */
	readonly since?: string;
	/** The run was stopped before any supervisor began it. */
	readonly stopped?: Exit;
};

/** Nothing when there is no `started`. */
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
 * The supervisors of a run that may have processes of it below them: its agent's, and those of what ran
 * beside it.
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
 * Whether each supervisor of the run saw, when its agent had ended, that nothing was below it any more
 * (docs/architecture.md §4). Not of a run that was asked to stop.
 */
export const leftNothing = async (runDir: string): Promise<boolean> => {
	if (existsSync(join(runDir, 'stop'))) return false;
	const begun = foldersOf(runDir).filter(folder => existsSync(join(folder, 'started')));
	return begun.length > 0 && begun.every(sawNothingLeft);
};

const sawNothingLeft = (folder: string): boolean =>
	parseObject(readText(join(folder, 'exit')) ?? '')?.leftNothing === true;

/** A run's directory, and the folders inside for what ran beside it, which are like it. */
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

/** The agent's process. It is the supervisor's child, so the boot is that of `started`. */
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

/** Takes the beginning away from any supervisor to come, as an exit of 143. False when one was first. */
export const forbid = async (runDir: string, at: string): Promise<boolean> => {
	if (!(await createWhole(join(runDir, 'started'), {stopped: true, at}))) return false;
	const exit = {exitCode: 143, signal: 'SIGTERM', finishedAt: at, neverBegan: true};
	await createWhole(join(runDir, 'exit'), exit);
	return true;
};

/** Asks a supervisor that has not started its agent yet to leave it at that. */
export const askToStop = async (runDir: string): Promise<void> => {
	await createWhole(join(runDir, 'stop'), {});
};

/** The agent's process holds the terminal of a session, in which its program is. */
export const isSession = (runDir: string): boolean => readText(join(runDir, 'session.json')) !== undefined;

/**
 * Who belonged to the run when it was asked to stop. Once the agent is gone nothing else identifies those
 * without its mark.
 */
export const readFamily = async (runDir: string): Promise<Member[]> => {
	const {members} = parseObject(readText(join(runDir, 'family')) ?? '') ?? {};
	return Array.isArray(members) ? members.filter(isMember) : [];
};

/** Keeps them for whoever goes on when this process is killed before all of them are gone. */
export const keepFamily = async (runDir: string, family: readonly Member[]): Promise<void> => {
	const members = family.map(({pid, startTime}) => ({pid, startTime}));
	const temporary = join(runDir, `family.${randomUUID()}`);
	await writeFile(temporary, `${JSON.stringify({members})}\n`, {flag: 'wx', mode: 0o600});
	await rename(temporary, join(runDir, 'family'));
};

/** Creates the file with all its text at once; false when it exists. */
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

/** Synchronous: a small file is read sooner than it is handed to another thread. */
const readText = (path: string): string | undefined => {
	// A look costs a fraction of the error.
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
