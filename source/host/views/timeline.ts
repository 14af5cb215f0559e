import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {taskName} from './name.ts';

/** When the runs of a trace worked. */
export type Timeline = {
	/** From the first claim to the last end, or now; milliseconds since 1970. */
	readonly from: number;
	readonly to: number;
	/** In the order of their claims. */
	readonly rows: readonly TimelineRow[];
};

export type TimelineRow = {
	readonly run: RunRecord;
	/** Name of its task; empty if it has none. */
	readonly title: string;
	/** Milliseconds since 1970. `to` is now for a running run. */
	readonly from: number;
	readonly to: number;
};

/** Undefined for a trace without runs. */
export const timelineOf = (trace: Trace, now: number): Timeline | undefined => {
	const rows = [...trace.runs.values()].map((run): TimelineRow => {
		const from = Date.parse(run.startedAt);
		const to = run.finishedAt === undefined ? now : Date.parse(run.finishedAt);
		const task = trace.tasks.get(run.taskId ?? '');
		return {run, title: task === undefined ? '' : taskName(task), from, to: Math.max(from, to)};
	});
	if (rows.length === 0) return undefined;
	const from = rows.reduce((first, row) => Math.min(first, row.from), Number.POSITIVE_INFINITY);
	const to = rows.reduce((last, row) => Math.max(last, row.to), from);
	return {from, to, rows};
};
