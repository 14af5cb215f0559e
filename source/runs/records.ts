import {join} from 'node:path';
import {atRoot} from '../colony/at-root.ts';
import {parseObject} from '../domain/json.ts';
import type {RunRequest, RunResult} from '../domain/run.ts';
import type {Files} from '../ports/files.ts';
import {eventLogPath} from './audit-log.ts';
import {rootOfRun, runFile, runPath} from './layout.ts';

const protocolVersion = 'agent-runtime.v1';

/** What a run was started with, as `meta.json` and `request.json` keep it (docs/rules.md §7). */
export type RunMeta = RunRequest & {
	readonly adapter: string;
	readonly system?: string;
	readonly intent?: string;
	/** Empty without one. */
	readonly sector: string;
	readonly body: string;
	readonly insights: readonly string[];
	/** Where the agent puts its result, absolute; `summary.md` of the run directory unless set. */
	readonly resultFile?: string;
	readonly startedAt: string;
	/** First of the ten ports that belong to the checkout. */
	readonly port?: number | undefined;
	/** The session of its tool that it goes on with, and the run that had it before. */
	readonly resumes?: {readonly session: string; readonly agentId: string} | undefined;
	/** What people should know of its beginning. */
	readonly warnings: readonly string[];
};

/** Texts of files of a run's directory. */
export type RunTexts = Readonly<Partial<Record<keyof typeof runFile, string>>>;

/** What says how a run was begun. */
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
 * Writes the directory of a run that is about to begin, without a look at each file where it is new. Writing
 * it again gives the same files.
 *
 * @param baselines what was found before the run: the first to look wins
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

/** `status.json`: where the run is, for people and scripts that read files. */
export type StatusFile = {
	readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
	readonly startedAt: string;
	readonly finishedAt?: string;
	readonly exitCode?: number;
	readonly error?: string;
	/** What went wrong beside it, in words for people. */
	readonly warnings?: readonly string[];
};

export const writeStatus = (files: Files, directory: string, status: StatusFile): Promise<void> =>
	writeJson(files, runPath(directory, 'status'), {protocolVersion, ...status});

/** `summary.md` and `result.json` of a run that is over. */
export const writeResult = async (
	files: Files,
	directory: string,
	result: RunResult & {
		traceId: string;
		agentId: string;
		finishedAt: string;
		/** The end of it. */
		stderr: string;
		/** For `summary.md` where the agent gave no words of its own. */
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
	/** The run whose session it goes on with. */
	readonly resumes?: string;
};

/**
 * What collecting a run needs to know of its start, also after the checkout was moved; nothing when the
 * directory was never written.
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

/** What `status.json` says of a run here; nothing when it never had a directory. */
export const readState = async (files: Files, directory: string): Promise<unknown> => {
	const text = await files.read(runPath(directory, 'status'));
	return text === undefined ? undefined : parseObject(text)?.state;
};

const writeJson = (files: Files, path: string, value: object): Promise<void> =>
	files.write(path, jsonOf(value));

const jsonOf = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
