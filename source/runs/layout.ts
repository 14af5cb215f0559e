import {resolve} from 'node:path';
import {HiveError} from '../domain/errors.ts';
import {isName, isTaskId} from '../domain/ids.ts';

/**
 * `.hive/runs/<traceId>`: all files of one trace, always under the colony root (docs/rules.md §7). Throws
 * `invalid_id`, as do all functions below: no other text becomes part of a path (docs/reliability.md I13).
 */
export const traceDirectory = (root: string, traceId: string): string =>
	`${root}/.hive/runs/${expectId(traceId, isName)}`;

export const runDirectory = (root: string, traceId: string, agentId: string): string =>
	`${traceDirectory(root, traceId)}/${expectId(agentId, isName)}`;

const expectId = (id: string, isId: (text: string) => boolean): string => {
	if (isId(id)) return id;
	throw new HiveError('invalid_id', {message: `"${id}" is not an id.`});
};

/** Returns the colony root of a run directory. */
export const rootOfRun = (directory: string): string => resolve(directory, '../../../..');

export const taskDirectory = (root: string, traceId: string, taskId: string): string =>
	`${traceDirectory(root, traceId)}/tasks/${expectId(taskId, isTaskId)}`;

export const artifactsDirectory = (root: string, traceId: string): string =>
	`${traceDirectory(root, traceId)}/artifacts`;

/** Names inside a run directory. The supervisor adds `started`, `agent`, `before`, `after` and `exit`. */
export const runFile = {
	prompt: 'prompt.txt',
	system: 'system.txt',
	/** Standard input of the agent; absent if empty. */
	input: 'input.txt',
	summary: 'summary.md',
	legacySummary: 'result.txt',
	meta: 'meta.json',
	request: 'request.json',
	status: 'status.json',
	/** Socket of a session's holder, and the key that a viewer needs. */
	sessionSocket: 'session.sock',
	sessionKey: 'session.key',
	/** Settings of the agent tool for this run, if it takes them as a file. */
	toolSettings: 'tool-settings.json',
	result: 'result.json',
	events: 'events.ndjson',
	pending: 'pending.ndjson',
	stdout: 'stdout.log',
	stderr: 'stderr.log',
	/** Sizes of the two logs over time. */
	stdoutTimes: 'stdout.times',
	stderrTimes: 'stderr.times',
	diff: 'changes.diff',
	/** Files of a session: its facts, its dialogue, and its terminal's output (a folder). */
	session: 'session.json',
	transcript: 'transcript.ndjson',
	recording: 'recording',
	/** Exists while its processes are frozen. */
	frozen: 'frozen',
	/** Why hive stopped it; absent if it ended by itself. */
	stopReason: 'stop-reason',
	artifactsBaseline: 'artifacts-baseline.json',
	/** Files of a verification: its commands and their timeouts, and the command that began last. */
	verify: 'verify.json',
	verifying: 'verifying',
	/**
	 * The only part of hive's files that an agent's own sandbox may write: its events (`runs/spool.ts`) and its
	 * result. It is not directly in the run directory, whose folders are searched for supervisors.
	 */
	sandbox: 'sandbox',
	spool: 'sandbox/spool',
	spooledSummary: 'sandbox/spool/summary.md',
	/** Grows by a byte whenever a hook of a session's tool reports that it waits for a person. */
	asked: 'sandbox/spool/asked',
	/** What hive keeps of a contained run: its git folder and its files of a moment. */
	contained: 'contained',
	/** Of a contained run: answers that it waits for, by the id of the question. */
	answers: 'answers',
	/** Whether `workspaces.setup` ran before the run, or its kept results were copied. */
	setupLog: 'setup.log',
	/** A folder like a run's own: the supervisor's record of `post_exec`. */
	postExec: 'post-exec',
} as const;

/** Returns the absolute path of one of these files. */
export const runPath = (directory: string, file: keyof typeof runFile): string =>
	`${directory}/${runFile[file]}`;
