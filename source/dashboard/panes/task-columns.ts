import {isGateId} from '../../domain/ids.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {type Doings, usedParts} from '../../host/views/doing.ts';
import {taskName} from '../../host/views/name.ts';
import {isAtGuard, statusWords} from '../../host/views/task.ts';
import type {Column} from '../components/table.tsx';
import {widthOf} from '../parts/cells.ts';
import {beeWidth, widthFor} from '../parts/column-width.ts';
import {doingCell} from '../parts/doing-cell.ts';
import {idColumn} from '../parts/id-column.ts';
import type {Tone} from '../parts/line.ts';
import type {CellText} from '../parts/row-line.ts';
import type {OrderedTask} from '../parts/task-order.ts';
import {runTime, taskMark, untilTime} from '../parts/words.ts';
import {attendanceText} from '../store/decision.ts';
import {perObject} from '../store/memo.ts';

type Rows = readonly OrderedTask[];

const reviewWords = {none: '-', required: 'req', final: 'fin'} as const;
const workspaceWords = {isolated: 'iso', root: 'root'} as const;

type Facts = {
	readonly trace: Trace;
	readonly doings: Doings;
	readonly now: number;
	/** The number of slots if all are taken, as text. Else empty. */
	readonly places: string;
};

/** @param all all rows of the list, visible or not, so that columns keep their widths while scrolling */
export const taskColumns = (
	{trace, doings, now, places}: Facts,
	all: Rows,
	width: number,
): readonly Column<OrderedTask>[] => {
	const numbers = numbersOf(all);
	return [
		{title: '#', width: numberWidth(all), align: 'right', cell: ({number}) => [String(number), 'dim']},
		{title: 'TASK', width: nameWidth(all, width), cell: ({branch, task}) => [branch + taskName(task)]},
		{title: 'BEE', width: beeWidth(longestBee(all), width), cell: ({task}) => [beeOf(task)]},
		{title: 'STATE', width: 17, whole: true, cell: row => stateOf(row, {trace, doings, now})},
		{title: 'NEEDS', width: 5, whole: true, from: 84, cell: ({task}) => [shortNeeds(task, numbers), 'dim']},
		{title: 'REV', width: 3, from: 112, cell: ({task}) => [reviewWords[task.review], 'dim']},
		{
			title: 'WS',
			width: 4,
			from: 112,
			cell: ({task}) => [task.proposalWorkspace ? workspaceWords[task.proposalWorkspace] : '-', 'dim'],
		},
		{title: 'COMMIT', width: 7, from: 140, cell: ({task}) => [task.commit.slice(0, 7) || '-', 'dim']},
		{title: 'SUMMARY', width: 'grow', cell: row => summaryOf(row, numbers, {trace, doings, now, places})},
		{...idColumn(all, ({task}) => task.taskId), from: 98},
	];
};

const numberWidth = perObject((rows: Rows): number =>
	rows.reduce((most, {number}) => Math.max(most, String(number).length), 2),
);

/** Names get the width they need, up to a share of the pane. */
const nameWidth = (rows: Rows, width: number): number =>
	widthFor(longestName(rows), {least: 18, most: width * 0.38});

const longestName = perObject((rows: Rows): number =>
	rows.reduce((most, {branch, task}) => Math.max(most, widthOf(branch) + widthOf(taskName(task))), 0),
);

const beeOf = ({taskId, bee}: Task): string => (isGateId(taskId) ? '(gate)' : bee || 'default');

const longestBee = perObject((rows: Rows): number =>
	rows.reduce((most, {task}) => Math.max(most, widthOf(beeOf(task))), 0),
);

const stateOf = (
	{task, problem}: OrderedTask,
	{trace, doings, now}: Omit<Facts, 'places'>,
): readonly [string, Tone] => {
	const [glyph, tone] = taskMark(task);
	const words = statusWords(trace, task);
	const run = words === 'running' ? trace.runs.get(task.agentId ?? '') : undefined;
	const until = isPaused(task) ? ` ${untilTime(task.pausedUntil ?? '', now)}` : '';
	const took = run === undefined ? until : ` ${runTime(run, doings, now)}`;
	return [`${glyph} ${words}${took}`, problem ? 'bad' : tone];
};

const needsText = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	if (isGateId(task.taskId)) return 'all';
	return task.dependsOn.map(id => numbers.get(id) ?? '?').join(',') || '-';
};

/** Max columns for the numbers of needed tasks; if there are more, they are counted. */
const widestNeeds = 9;

const shortNeeds = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	const text = needsText(task, numbers);
	return text.length > widestNeeds ? `${task.dependsOn.length} tasks` : text;
};

const summaryOf = (
	{task, problem}: OrderedTask,
	numbers: ReadonlyMap<string, number>,
	{trace, doings, now, places}: Facts,
): CellText => {
	if (problem) return [problem, 'bad'];
	if (task.summary) return [task.summary, isStuck(task) ? 'bad' : 'plain'];
	if (isAtGuard(trace, task)) return [attendanceText(trace, task), 'dim'];
	const doing = task.status === 'running' ? doings.get(task.agentId ?? '') : undefined;
	if (doing) return doingCell(doing, usedParts(doing.used)[0] ?? '', now);
	if (task.status === 'ready' && places !== '') return [`${places}, waits for its turn`, 'dim'];
	if (isGateId(task.taskId) && task.status === 'planned') return ['after all of it', 'dim'];
	return task.status === 'planned' && task.dependsOn.length > 0
		? [`waits on ${needsText(task, numbers)}`, 'dim']
		: ['', 'dim'];
};

const isStuck = (task: Task): boolean =>
	task.status === 'failed' || (task.status === 'blocked' && !isPaused(task));

const numbersOf = perObject(
	(rows: Rows): ReadonlyMap<string, number> => new Map(rows.map(({task, number}) => [task.taskId, number])),
);
