import {join} from 'node:path';
import {atRoot} from '../colony/at-root.ts';
import {parseObject} from '../domain/json.ts';
import type {RunRequest, RunResult} from '../domain/run.ts';
import type {Files} from '../ports/files.ts';
import {eventLogPath} from './audit-log.ts';
import {rootOfRun, runFile, runPath} from './layout.ts';

const protocolVersion = 'agent-runtime.v1';

/** The start of a run, as `meta.json` and `request.json` store it (docs/rules.md §7). */
export type RunMeta = RunRequest & {
	readonly adapter: string;
	readonly system?: string;
	readonly intent?: string;
	/** Empty if there is none. */
	readonly sector: string;
	readonly body: string;
	readonly insights: readonly string[];
	/** Absolute path of the agent's result; `summary.md` of the run directory by default. */
	readonly resultFile?: string;
	readonly startedAt: string;
	/** First of the checkout's ten ports. */
	readonly port?: number | undefined;
	/** The session of its tool that it continues, and the run that had the session before. */
	readonly resumes?: {readonly session: string; readonly agentId: string} | undefined;
	/** Warnings about its start, for people. */
	readonly warnings: readonly string[];
};

/** Contents of files in a run's directory. */
export type RunTexts = Readonly<Partial<Record<keyof typeof runFile, string>>>;

/** Returns the contents of the files that describe the start of a run. */
export const runTexts = (directory: string, meta: RunMeta): RunTexts => {
	const {traceId, agentId, bee, adapter, workspace, colonyRoot, startedAt, port, warnings} = meta;
	const identity = {traceId, agentId, bee, adapter, workspace, sector: meta.sector};
	const task = {taskId: meta.taskId ?? '', task: meta.body, intent: meta.intent ?? ''};
	return {
		prompt: meta.prompt,
		...(meta.system === undefined ? {} : {system: meta.system}),
		request: jsonOf({
			protocolVersion,
			...identity,
			colonyRoot,
			...task,
			insights: meta.insights,
			resultPath: meta.resultFile ?? runPath(directory, 'summary'),
			eventLogPath: eventLogPath(colonyRoot, traceId, agentId),
			createdAt: startedAt,
		}),
		status: jsonOf({protocolVersion, state: 'running', startedAt}),
		meta: jsonOf({
			...identity,
			colonyRoot,
			taskId: task.taskId,
			startedAt,
			port,
			resumes: meta.resumes,
			...(warnings.length === 0 ? {} : {warnings}),
		}),
	};
};

/**
 * Writes the directory of a run that is about to begin; a new directory is made without a check of each file.
 * Idempotent: a repetition writes the same files.
 *
 * @param baselines state found before the run; the first call's baselines win
 */
export const writeRunDirectory = async (
	files: Files,
	directory: string,
	{texts, baselines}: {readonly texts: RunTexts; readonly baselines: RunTexts},
): Promise<void> => {
	const named = ([file, text]: [string, string]) => [runFile[file as keyof RunTexts], text] as const;
	const all = Object.entries({...texts, ...baselines}).map(named);
	if (await files.createFolder(directory, Object.fromEntries(all), {mode: 0o700})) return;
	for (const [name, text] of Object.entries(texts).map(named)) await files.write(join(directory, name), text);
	for (const [name, text] of Object.entries(baselines).map(named))
		await files.create(join(directory, name), text);
};

/** `status.json`: the state of the run, for people and scripts that read files. */
export type StatusFile = {
	readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
	readonly startedAt: string;
	readonly finishedAt?: string;
	readonly exitCode?: number;
	readonly error?: string;
	/** Other problems, in words for people. */
	readonly warnings?: readonly string[];
};

export const writeStatus = (files: Files, directory: string, status: StatusFile): Promise<void> =>
	writeJson(files, runPath(directory, 'status'), {protocolVersion, ...status});

/** Writes `summary.md` and `result.json` of a run that is over. */
export const writeResult = async (
	files: Files,
	directory: string,
	result: RunResult & {
		traceId: string;
		agentId: string;
		finishedAt: string;
		/** The end of standard error. */
		stderr: string;
		/** Content of `summary.md` if the agent gave no summary. */
		dialogue?: string;
		warnings: readonly string[];
	},
): Promise<void> => {
	const {traceId, agentId, status, output, artifacts, exitCode, error, usage, stderr, finishedAt, warnings} =
		result;
	const summary = output || result.dialogue || '';
	await writeJson(files, runPath(directory, 'result'), {
		protocolVersion,
		traceId,
		agentId,
		status,
		summary: output,
		artifacts,
		diagnostics: {exitCode, error: error ?? '', stderr},
		...(warnings.length === 0 ? {} : {warnings}),
		...(usage === undefined ? {} : {usage}),
		finishedAt,
	});
	await files.write(runPath(directory, 'summary'), summary === '' ? '' : `${summary}\n`);
};

type KeptMeta = Pick<RunMeta, 'adapter' | 'workspace' | 'sector' | 'startedAt' | 'port' | 'warnings'> & {
	/** The run whose session it continues. */
	readonly resumes?: string;
};

/**
 * Returns the facts about a run's start that collecting it needs, also after the checkout was moved.
 * Undefined if the directory was never written.
 */
export const readMeta = async (files: Files, directory: string): Promise<KeptMeta | undefined> => {
	const text = await files.read(runPath(directory, 'meta'));
	if (text === undefined) return undefined;
	const {adapter, workspace, colonyRoot, sector, startedAt, port, resumes, warnings} =
		parseObject(text) ?? {};
	const {agentId}: {readonly agentId?: unknown} = {...Object(resumes)};
	if (typeof adapter !== 'string' || typeof workspace !== 'string' || typeof startedAt !== 'string')
		return undefined;
	return {
		adapter,
		workspace:
			typeof colonyRoot === 'string' ? atRoot(rootOfRun(directory), colonyRoot, workspace) : workspace,
		sector: typeof sector === 'string' ? sector : '',
		startedAt,
		...(typeof port === 'number' ? {port} : {}),
		...(typeof agentId === 'string' ? {resumes: agentId} : {}),
		warnings: Array.isArray(warnings) ? warnings.map(String) : [],
	};
};

/** Returns the state in the run's `status.json`; undefined if it never had a directory. */
export const readState = async (files: Files, directory: string): Promise<unknown> => {
	const text = await files.read(runPath(directory, 'status'));
	return text === undefined ? undefined : parseObject(text)?.state;
};

const writeJson = (files: Files, path: string, value: object): Promise<void> =>
	files.write(path, jsonOf(value));

const jsonOf = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
