import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {rosterOfRuns, rosterOfTasks, type Trace} from '../domain/trace.ts';

/**
 * Rises when the same events fold to something else; a checkpoint of another version is ignored. `npm run record-history` keeps
 * logs of each version, and a test folds them.
 */
export const foldVersion = 3;

type Stored = Omit<Trace, 'tasks' | 'runs'> & {
	version: number;
	tasks: readonly Task[];
	runs: readonly RunRecord[];
};

/** The key-value form of a snapshot: JSON, with tasks in plan order. */
export const encodeTrace = (trace: Trace): string =>
	JSON.stringify({
		...trace,
		version: foldVersion,
		tasks: [...trace.tasks.values()],
		runs: [...trace.runs.values()],
	});

/** The snapshot, or nothing when the text is torn or of another version: then the log is folded from its start. */
export const decodeTrace = (text: string): Trace | undefined => {
	const stored = parse(text);
	if (stored === undefined) return undefined;
	const {version: _version, tasks, runs, ...trace} = stored;
	return {
		...trace,
		tasks: rosterOfTasks(tasks),
		runs: rosterOfRuns(runs),
	};
};

const parse = (text: string): Stored | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isStored(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

const isStored = (value: unknown): value is Stored =>
	typeof value === 'object' &&
	value !== null &&
	'version' in value &&
	value.version === foldVersion &&
	'sequence' in value &&
	typeof value.sequence === 'number' &&
	'traceId' in value &&
	typeof value.traceId === 'string' &&
	'tasks' in value &&
	isListOf(value.tasks, 'taskId') &&
	'runs' in value &&
	isListOf(value.runs, 'agentId');

/** What a damaged file could hold instead would be met much later, and by everybody. */
const isListOf = (value: unknown, id: string): boolean =>
	Array.isArray(value) &&
	value.every(item => typeof item === 'object' && item !== null && typeof item[id] === 'string');
