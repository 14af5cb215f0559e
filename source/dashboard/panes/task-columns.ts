import {isGateId} from '../../domain/ids.ts';
import {statusWords} from '../../domain/status-words.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {type RunActivities, usedParts} from '../../host/views/activity.ts';
import {taskName} from '../../host/views/name.ts';
import {atForge, isAtGuard, landingLabel, taskStatusLabel, workerOf} from '../../host/views/task.ts';
import type {Column} from '../components/table.tsx';
import {activityCell} from '../parts/activity-cell.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth, widthFor} from '../parts/column-width.ts';
import {formatCountdown, formatRunTime, taskMark} from '../parts/format.ts';
import {idColumn} from '../parts/id-column.ts';
import type {ColourToken} from '../parts/line.ts';
import type {CellText} from '../parts/row-line.ts';
import type {OrderedTask} from '../parts/task-order.ts';
import {attendanceText} from '../store/decision.ts';
import {memoized, perObject} from '../store/memo.ts';

type Rows = readonly OrderedTask[];

const reviewLabels = {none: '-', required: 'req', final: 'fin'} as const;
const workspaceLabels = {isolated: 'iso', root: 'root'} as const;

type Facts = {
	readonly trace: Trace;
	/** The bee of tasks that name none; empty until known. */
	readonly defaultBee: string;
	readonly doings: RunActivities;
	readonly now: number;
	/** The number of slots if all are taken, as text. Else empty. */
	readonly places: string;
};

/** @param all all rows of the list, visible or not, so that columns keep their widths while scrolling */
export const taskColumns = (
	{trace, defaultBee, doings: activities, now, places: machines}: Facts,
	all: Rows,
	width: number,
): readonly Column<OrderedTask>[] => {
	const numbers = numbersOf(all);
	return [
		{title: '#', width: numberWidth(all), align: 'right', cell: ({number}) => [String(number), 'dim']},
		{title: 'TASK', width: nameWidth(all, width), cell: ({branch, task}) => [branch + taskName(task)]},
		{
			title: 'BEE',
			width: beeWidth(maxBeeWidth(all, defaultBee), width),
			cell: ({task}) => [beeOf(task, defaultBee)],
		},
		{title: 'STATE', width: 20, whole: true, cell: row => stateOf(row, {trace, doings: activities, now})},
		...optionalColumns(all, numbers),
		{
			title: 'SUMMARY',
			width: 'grow',
			cell: row => formatSummary(row, numbers, {trace, doings: activities, now, places: machines}),
		},
		{...idColumn(all, ({task}) => task.taskId), from: 98},
	];
};

/** Columns that are left out if no task has any content for them. */
const optionalColumns = (all: Rows, numbers: ReadonlyMap<string, number>): readonly Column<OrderedTask>[] => {
	const {needs, review, workspace, commit} = contentOf(all);
	const columns: readonly (false | Column<OrderedTask>)[] = [
		needs && {
			title: 'NEEDS',
			width: 5,
			whole: true,
			from: 84,
			cell: ({task}) => [formatShortNeeds(task, numbers), 'dim'],
		},
		review && {title: 'REV', width: 3, from: 112, cell: ({task}) => [reviewLabels[task.review], 'dim']},
		workspace && {
			title: 'WS',
			width: 4,
			from: 112,
			cell: ({task}) => [task.proposalWorkspace ? workspaceLabels[task.proposalWorkspace] : '-', 'dim'],
		},
		commit && {
			title: 'COMMIT',
			width: 7,
			from: 140,
			cell: ({task}) => [task.commit.slice(0, 7) || '-', 'dim'],
		},
	];
	return columns.filter(column => column !== false);
};

const contentOf = perObject((rows: Rows) => ({
	needs: rows.some(({task}) => task.dependsOn.length > 0),
	review: rows.some(({task}) => task.review === 'required'),
	workspace: rows.some(({task}) => task.proposalWorkspace !== undefined),
	commit: rows.some(({task}) => task.commit !== ''),
}));

const numberWidth = perObject((rows: Rows): number =>
	rows.reduce((most, {number}) => Math.max(most, String(number).length), 2),
);

/** The share of a pane that names get: smaller if the summary would have no room. */
const nameShare = (width: number): number => (width < 76 ? 0.32 : width < 100 ? 0.38 : 0.45);

/** Names get the width they need, up to a share of the pane. */
const nameWidth = (rows: Rows, width: number): number =>
	widthFor(maxNameWidth(rows), {min: 18, max: width * nameShare(width)});

const maxNameWidth = perObject((rows: Rows): number =>
	rows.reduce((most, {branch, task}) => Math.max(most, widthOf(branch) + widthOf(taskName(task))), 0),
);

const beeOf = (task: Task, defaultBee: string): string =>
	isGateId(task.taskId) ? '' : workerOf(task, defaultBee);

const maxBeeWidth = memoized((rows: Rows, defaultBee: string): number =>
	rows.reduce((most, {task}) => Math.max(most, widthOf(beeOf(task, defaultBee))), 0),
);

const stateOf = (
	{task, problem}: OrderedTask,
	{trace, doings: activities, now}: Pick<Facts, 'trace' | 'doings' | 'now'>,
): readonly [string, ColourToken] => {
	const [glyph, tone] = taskMark(task);
	const words = taskStatusLabel(trace, task);
	const run = words === 'running' ? trace.runs.get(task.agentId ?? '') : undefined;
	const until = isPaused(task) ? ` ${formatCountdown(task.pausedUntil ?? '', now)}` : '';
	const duration = run === undefined ? until : ` ${formatRunTime(run, activities, now)}`;
	// What is landing, or at the forge, waits for no person here.
	const own = words === landingLabel || words === atForge ? 'info' : tone;
	return [`${glyph} ${statusWords(words)}${duration}`, problem ? 'bad' : own];
};

const formatNeeds = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	if (isGateId(task.taskId)) return 'all';
	return task.dependsOn.map(id => numbers.get(id) ?? '?').join(',') || '-';
};

/** Max columns for the numbers of needed tasks; if there are more, they are counted. */
const maxNeedsWidth = 9;

const formatShortNeeds = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	const text = formatNeeds(task, numbers);
	return text.length > maxNeedsWidth ? `${task.dependsOn.length} tasks` : text;
};

const formatSummary = (
	{task, problem}: OrderedTask,
	numbers: ReadonlyMap<string, number>,
	{trace, doings: activities, now, places: machines}: Omit<Facts, 'defaultBee'>,
): CellText => {
	if (problem) return [problem, 'bad'];
	if (task.summary) return [task.summary, isStuck(task) ? 'bad' : 'plain'];
	if (isAtGuard(trace, task)) return [attendanceText(trace, task), 'dim'];
	const activity = task.status === 'running' ? activities.get(task.agentId ?? '') : undefined;
	if (activity) return activityCell(activity, usedParts(activity.used)[0] ?? '', now);
	if (task.status === 'ready' && machines !== '') return [`${machines}, waits for its turn`, 'dim'];
	if (isGateId(task.taskId) && task.status === 'planned') return ['after all of it', 'dim'];
	return task.status === 'planned' && task.dependsOn.length > 0
		? [`waits on ${formatNeeds(task, numbers)}`, 'dim']
		: ['', 'dim'];
};

const isStuck = (task: Task): boolean =>
	task.status === 'failed' || (task.status === 'blocked' && !isPaused(task));

const numbersOf = perObject(
	(rows: Rows): ReadonlyMap<string, number> => new Map(rows.map(({task, number}) => [task.taskId, number])),
);
