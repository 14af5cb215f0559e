import {Box} from 'ink';
import {memo} from 'react';
import {isGateId} from '../../domain/ids.ts';
import {exhausted} from '../../domain/reserve.ts';
import {isPaused, type Task} from '../../domain/task.ts';
import {runWithoutTasks, type Trace, titleOf} from '../../domain/trace.ts';
import {shortSpending} from '../../host/views/reserve.ts';
import {isAtGuard, statusWords} from '../../host/views/task.ts';
import type {Wait} from '../../host/waits.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Gauge} from '../components/gauge.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth, widthFor} from '../parts/column-width.ts';
import type {Tone} from '../parts/line.ts';
import type {OrderedTask} from '../parts/task-order.ts';
import {duration, shortId, taskMark, untilTime} from '../parts/words.ts';
import {attendanceText} from '../store/decision.ts';
import {perObject} from '../store/memo.ts';
import {selectedTrace, selectedWaits, taskList} from '../store/selectors.ts';
import type {PaneProps} from './pane-props.ts';

/** Tasks of the selected trace as a tree. */
export const TasksPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const trace = useSelector(selectedTrace);
	const {all, rows, selected, filter} = useList('tasks', taskList, height - 1);
	const waits = useSelector(selectedWaits);
	const isTimed = rows.some(({task}) => task.status === 'running' || isPaused(task));
	const now = useSelector(state => (isTimed ? state.now : 0));
	if (!trace) return <Pane area={area} isFocused={isFocused} title={<PaneTitle>Tasks</PaneTitle>} />;
	const numbers = numbersOf(all);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<TasksTitle trace={trace} filter={filter} width={width} />}
		>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={noTasks(trace, waits)} />
			) : (
				<Table
					columns={taskColumns(
						now,
						[nameWidth(all, width), beeWidth(longestBee(all), width)],
						numbers,
						trace,
					)}
					width={width}
					rows={rows}
					idOf={({task}) => task.taskId}
					selected={selected}
				/>
			)}
		</Pane>
	);
});

type TitleProps = {readonly trace: Trace; readonly filter: string; readonly width: number};

/** The title of the trace is cut before its honey is. */
const TasksTitle = ({trace, filter, width}: TitleProps) => {
	const isWide = width >= 70;
	const spending = shortSpending(trace);
	return (
		<>
			<Box flexShrink={0}>
				<SafeText tone="strong">{`Tasks ${shortId(trace.traceId)}`}</SafeText>
			</Box>
			{isWide ? <SafeText tone="strong">{` ${titleOf(trace)}`}</SafeText> : null}
			<Box flexShrink={0}>
				<SafeText>{`${filterNote(filter)} · honey `}</SafeText>
			</Box>
			<Gauge remaining={trace.energyRemaining} budget={trace.energyBudget} cells={isWide ? 12 : 6} />
			{isWide && spending ? (
				<SafeText tone={exhausted(trace) === undefined ? 'plain' : 'bad'}>{` · ${spending}`}</SafeText>
			) : null}
		</>
	);
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
	trace: Trace,
): readonly Column<OrderedTask>[] => [
	{title: '#', width: 2, align: 'right', cell: ({number}) => [String(number), 'dim']},
	{title: 'TASK', width: names, cell: ({branch, task}) => [branch + task.taskId]},
	{title: 'BEE', width: bees, cell: ({task}) => [beeOf(task)]},
	{
		title: 'STATE',
		width: 16,
		cell: ({task, problem}) => {
			const [glyph, tone] = taskMark(task);
			const words = statusWords(trace, task);
			const since = words === 'running' ? trace.runs.get(task.agentId ?? '')?.startedAt : undefined;
			const until = isPaused(task) ? ` ${untilTime(task.pausedUntil ?? '', now)}` : '';
			const took = since === undefined ? until : ` ${duration(now - Date.parse(since))}`;
			return [`${glyph} ${words}${took}`, problem ? 'bad' : tone];
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
	{title: 'SUMMARY', width: 'grow', cell: row => summaryOf(row, numbers, trace)},
];

const needsText = (task: Task, numbers: ReadonlyMap<string, number>): string => {
	if (isGateId(task.taskId)) return 'all';
	return task.dependsOn.map(id => numbers.get(id) ?? '?').join(',') || '-';
};

const summaryOf = (
	{task, problem}: OrderedTask,
	numbers: ReadonlyMap<string, number>,
	trace: Trace,
): readonly [string, Tone] => {
	if (problem) return [problem, 'bad'];
	if (task.summary) return [task.summary, isStuck(task) ? 'bad' : 'plain'];
	if (isAtGuard(trace, task)) return [attendanceText(trace, task), 'dim'];
	if (task.status === 'running') return [`agent ${shortId(task.agentId ?? '')}`, 'dim'];
	if (isGateId(task.taskId)) return ['merge gate', 'dim'];
	if (task.status === 'planned' && task.dependsOn.length > 0)
		return [`waits on ${needsText(task, numbers)}`, 'dim'];
	return [task.title, 'dim'];
};

const isStuck = (task: Task): boolean =>
	task.status === 'failed' || (task.status === 'blocked' && !isPaused(task));

const noTasks = (trace: Trace, waits: readonly Wait[]): readonly string[] => {
	const run = runWithoutTasks(trace);
	if (waits.length > 0)
		return [
			'No tasks yet. The request waits for',
			...waits.flatMap(({what, next}) => [what, ...(next === undefined ? [] : [`  Next: ${next}`])]),
		];
	if (run === undefined || run.status === 'running')
		return ['No tasks yet: a planning bee writes the plan.', '2 shows its run.'];
	const ended = run.status === 'failed' ? 'failed' : 'ended without a plan';
	return [`No tasks: ${run.bee} ${ended}.`, '2 shows its run; t retries it; c asks again.'];
};

const numbersOf = perObject(
	(rows: readonly OrderedTask[]): ReadonlyMap<string, number> =>
		new Map(rows.map(({task, number}) => [task.taskId, number])),
);
