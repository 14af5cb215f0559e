import {resolve} from 'node:path';
import {HiveError} from '../domain/errors.ts';
import {isName, isTaskId} from '../domain/ids.ts';

/**
 * `.hive/runs/<traceId>`: everything hive wrote of one trace, always under the colony root (docs/rules.md
 * §7). Throws `invalid_id`, as all below: no other text becomes part of a path (docs/reliability.md I13).
 */
export const traceDirectory = (root: string, traceId: string): string =>
	`${root}/.hive/runs/${expectId(traceId, isName)}`;

export const runDirectory = (root: string, traceId: string, agentId: string): string =>
	`${traceDirectory(root, traceId)}/${expectId(agentId, isName)}`;

const expectId = (id: string, isId: (text: string) => boolean): string => {
	if (isId(id)) return id;
	throw new HiveError('invalid_id', {message: `"${id}" is not an id.`});
};

/** The colony root that a run directory is below. */
export const rootOfRun = (directory: string): string => resolve(directory, '../../../..');

export const taskDirectory = (root: string, traceId: string, taskId: string): string =>
	`${traceDirectory(root, traceId)}/tasks/${expectId(taskId, isTaskId)}`;

export const artifactsDirectory = (root: string, traceId: string): string =>
	`${traceDirectory(root, traceId)}/artifacts`;

/** Names inside a run directory. The supervisor adds `started`, `agent`, `before`, `after` and `exit`. */
export const runFile = {
	prompt: 'prompt.txt',
	system: 'system.txt',
	/** What the agent reads on its standard input; absent for nothing. */
	input: 'input.txt',
	summary: 'summary.md',
	legacySummary: 'result.txt',
	meta: 'meta.json',
	request: 'request.json',
	status: 'status.json',
	/** Where the holder of a session listens, and what a viewer has to know. */
	sessionSocket: 'session.sock',
	sessionKey: 'session.key',
	result: 'result.json',
	events: 'events.ndjson',
	pending: 'pending.ndjson',
	stdout: 'stdout.log',
	stderr: 'stderr.log',
	/** How far each had come when. */
	stdoutTimes: 'stdout.times',
	stderrTimes: 'stderr.times',
	diff: 'changes.diff',
	/** Of a session: what is known of it, its dialogue, and what its terminal showed (a folder). */
	session: 'session.json',
	transcript: 'transcript.ndjson',
	recording: 'recording',
	/** There while its processes are frozen. */
	frozen: 'frozen',
	/** Why hive stopped it; absent when it ended by itself. */
	stopReason: 'stop-reason',
	artifactsBaseline: 'artifacts-baseline.json',
	/** Of a verification: its commands and how long they may take, and which of them began last. */
	verify: 'verify.json',
	verifying: 'verifying',
	/**
	 * All of hive's that an agent's own sandbox lets it write: its events (`runs/spool.ts`) and its result. Not
	 * directly in the run directory, whose folders are looked into for supervisors.
	 */
	sandbox: 'sandbox',
	spool: 'sandbox/spool',
	spooledSummary: 'sandbox/spool/summary.md',
	/** A folder like a run's own: the supervisor's record of `post_exec`. */
	postExec: 'post-exec',
} as const;

/** One of those files, absolute. */
export const runPath = (directory: string, file: keyof typeof runFile): string =>
	`${directory}/${runFile[file]}`;
