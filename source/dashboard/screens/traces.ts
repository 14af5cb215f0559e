import {isGateId} from '../../domain/ids.ts';
import type {Task} from '../../domain/task.ts';
import {runWithoutTasks, type Trace, titleOf} from '../../domain/trace.ts';
import {type Area, inside, type PaneView, titleRoom} from '../parts/frame.ts';
import {clip, type Line, line, lineWidth, type Span, span, type Tone, widthOf} from '../parts/line.ts';
import {beeWidth, type Column, tableHead, tableRow, widthFor} from '../parts/table.ts';
import type {OrderedTask} from '../parts/task-order.ts';
import {windowAround} from '../parts/window.ts';
import {age, duration, honeyBar, shortId, stateMarks} from '../parts/words.ts';
import {perObject} from '../store/memo.ts';
import {selectedTrace, type TraceRow, taskList, traceList} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {emptyBody, filterNote} from './empty.ts';

const honey = ({trace}: TraceRow, cells: number): string => {
	const {energyRemaining, energyBudget} = trace;
	if (energyBudget === undefined) return '-';
	const bar = cells > 0 ? `${honeyBar(energyRemaining, energyBudget, cells)} ` : '';
	return `${bar}${energyRemaining}/${energyBudget}`;
};

const honeyTone = ({trace}: TraceRow): Tone =>
	trace.energyBudget !== undefined && trace.energyRemaining === 0 ? 'bad' : 'plain';

const traceColumns = (now: number, isTall: boolean): readonly Column<TraceRow>[] => [
	{title: 'ST', width: 2, cell: traceMark},
	{title: 'TRACE', width: isTall ? 10 : 16, cell: ({trace}) => [shortId(trace.traceId)]},
	{title: 'HONEY', width: isTall ? 9 : 6, cell: row => [honey(row, isTall ? 3 : 0), honeyTone(row)]},
	{
		title: isTall ? 'TASKS' : 'DONE',
		width: 5,
		align: 'right',
		cell: ({trace, done}) => [`${done}/${trace.tasks.size}`],
	},
	{title: 'AGE', width: 4, align: 'right', cell: ({trace}) => [age(trace.createdAt, now), 'dim']},
	...(isTall ? [] : [{title: 'TITLE', width: 'grow' as const, cell: (row: TraceRow) => below(row)}]),
];

/** What the trace does, and a second mark when it also waits for a person. */
const traceMark = ({status, isWaiting}: TraceRow): readonly [string, Tone] => {
	const [glyph, tone] = stateMarks[status];
	return isWaiting && status === 'running'
		? [`${glyph}${stateMarks.waiting_review[0]}`, 'accent']
		: [glyph, tone];
};

/** What stands under a trace: its title, or why it does not move. */
const below = ({title, note}: TraceRow): readonly [string, Tone] =>
	note ? [note, 'bad'] : title ? [title, 'plain'] : ['(no title yet)', 'dim'];

/** All traces; two rows each where the pane is narrow and tall. */
export const tracesPane = (state: State, area: Area): PaneView => {
	const {width, height} = inside(area);
	const rows = traceList.rows(state);
	const filter = state.filters.traces ?? '';
	const sort = state.sort === 'newest' ? '' : ` · ${state.sort}`;
	const title = line(`Traces ${rows.length}${filterNote(filter)}${sort}`, 'strong');
	if (!state.loaded) return {title, body: [line(' Reading the log…', 'dim')]};
	if (rows.length === 0)
		return {
			title,
			body: emptyBody(filter, ['No traces yet.', 'c runs a cue, or:', '  hive cue run feature']),
		};
	const isTall = width < 70;
	const columns = traceColumns(state.now, isTall);
	const at = traceList.position(state);
	const {start, end} = windowAround(at, rows.length, Math.floor((height - 1) / (isTall ? 2 : 1)));
	const body = rows.slice(start, end).flatMap((row, index) => {
		const isSelected = start + index === at;
		const first = tableRow(columns, width, row, isSelected);
		return isTall ? [first, underneath(row, isSelected)] : [first];
	});
	return {title, body: [tableHead(columns, width), ...body]};
};

const underneath = (row: TraceRow, isSelected: boolean): Line => {
	const [text, tone] = below(row);
	return [span('    '), span(text, tone === 'plain' && isSelected ? 'strong' : tone)];
};

const reviewWords = {none: '-', required: 'req', final: 'fin'} as const;
const workspaceWords = {isolated: 'iso', root: 'root'} as const;

/** The names get the room they need, up to a share of the pane. */
const nameWidth = (rows: readonly OrderedTask[], width: number): number =>
	widthFor(longestName(rows), {least: 18, most: width / 3});

const longestName = perObject((rows: readonly OrderedTask[]): number =>
	rows.reduce((most, {branch, task}) => Math.max(most, widthOf(branch) + widthOf(task.taskId)), 0),
);

const beeOf = ({taskId, bee}: Task): string => (isGateId(taskId) ? '(gate)' : bee || 'default');

const longestBee = perObject((rows: readonly OrderedTask[]): number =>
	rows.reduce((most, {task}) => Math.max(most, widthOf(beeOf(task))), 0),
);

const taskColumns = (
	now: number,
	[names, bees]: readonly [names: number, bees: number],
	numbers: ReadonlyMap<string, number>,
	startedAt: (task: Task) => string | undefined,
): readonly Column<OrderedTask>[] => [
	{title: '#', width: 2, align: 'right', cell: ({number}) => [String(number), 'dim']},
	{title: 'TASK', width: names, cell: ({branch, task}) => [branch + task.taskId]},
	{title: 'BEE', width: bees, cell: ({task}) => [beeOf(task)]},
	{
		title: 'STATE',
		width: 16,
		cell: ({task, problem}) => {
			const [glyph, tone] = stateMarks[task.status];
			const since = task.status === 'running' ? startedAt(task) : undefined;
			const took = since === undefined ? '' : ` ${duration(now - Date.parse(since))}`;
			return [`${glyph} ${task.status}${took}`, problem ? 'bad' : tone];
		},
	},
	{title: 'NEEDS', width: 5, from: 70, cell: ({task}) => [needsText(task, numbers), 'dim']},
	{title: 'REV', width: 3, from: 80, cell: ({task}) => [reviewWords[task.review], 'dim']},
	{
		title: 'WS',
		width: 4,
		from: 88,
		cell: ({task}) => [task.proposalWorkspace ? workspaceWords[task.proposalWorkspace] : '-', 'dim'],
	},
	{title: 'COMMIT', width: 7, from: 104, cell: ({task}) => [task.commit.slice(0, 7) || '-', 'dim']},
	{title: 'SUMMARY', width: 'grow', cell: row => summaryOf(row, numbers)},
];

const needsText = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	if (isGateId(task.taskId)) return 'all';
	return task.dependsOn.map(id => numbers.get(id) ?? '?').join(',') || '-';
};

const summaryOf = (
	{task, problem}: OrderedTask,
	numbers: ReadonlyMap<string, number>,
): readonly [string, Tone] => {
	if (problem) return [problem, 'bad'];
	if (task.summary)
		return [task.summary, task.status === 'failed' || task.status === 'blocked' ? 'bad' : 'plain'];
	if (task.status === 'running') return [`agent ${shortId(task.agentId ?? '')}`, 'dim'];
	if (isGateId(task.taskId)) return ['merge gate', 'dim'];
	if (task.status === 'planned' && task.dependsOn.length > 0)
		return [`waits on ${needsText(task, numbers)}`, 'dim'];
	return [task.title, 'dim'];
};

/** Tasks of the selected trace as a tree. */
export const tasksPane = (state: State, area: Area): PaneView => {
	const {width, height} = inside(area);
	const trace = selectedTrace(state);
	if (!trace) return {title: line('Tasks', 'strong'), body: []};
	const rows = taskList.rows(state);
	const filter = state.filters.tasks ?? '';
	const which = span(`Tasks ${shortId(trace.traceId)}`, 'strong');
	const name = span(width >= 70 ? ` ${titleOf(trace)}` : '', 'strong');
	const reserve = [span(`${filterNote(filter)} · honey `), ...gauge(state, area)];
	const room = titleRoom(area) - lineWidth([which, ...reserve]);
	const title = [which, {...name, text: clip(name.text, room)}, ...reserve];
	if (rows.length === 0)
		return {
			title,
			body: emptyBody(filter, noTasks(trace)),
		};
	const numbers = numbersOf(rows);
	const columns = taskColumns(
		state.now,
		[nameWidth(rows, width), beeWidth(longestBee(rows), width)],
		numbers,
		({agentId}) => trace.runs.get(agentId ?? '')?.startedAt,
	);
	const at = taskList.position(state);
	const {start, end} = windowAround(at, rows.length, height - 1);
	return {
		title,
		body: [
			tableHead(columns, width),
			...rows.slice(start, end).map((row, index) => tableRow(columns, width, row, start + index === at)),
		],
	};
};

const noTasks = (trace: Trace): readonly string[] => {
	const run = runWithoutTasks(trace);
	if (run === undefined || run.status === 'running')
		return ['No tasks yet: a planning bee writes the plan.', '2 shows its run.'];
	const ended = run.status === 'failed' ? 'failed' : 'ended without a plan';
	return [`No tasks: ${run.bee} ${ended}.`, '2 shows its run; c asks again.'];
};

const numbersOf = perObject(
	(rows: readonly OrderedTask[]): ReadonlyMap<string, number> =>
		new Map(rows.map(({task, number}) => [task.taskId, number])),
);

/** The honey reserve as a bar and a count. */
const gauge = (state: State, {width}: Area): Span[] => {
	const trace = selectedTrace(state);
	if (!trace || trace.energyBudget === undefined) return [span('not set', 'dim')];
	const cells = width >= 70 ? 12 : 6;
	return [
		span('['),
		span(
			honeyBar(trace.energyRemaining, trace.energyBudget, cells),
			trace.energyRemaining > 0 ? 'accent' : 'bad',
		),
		span(`] ${trace.energyRemaining}/${trace.energyBudget}`),
	];
};
