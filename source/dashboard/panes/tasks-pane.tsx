import {Box} from 'ink';
import {memo} from 'react';
import {exhausted} from '../../domain/reserve.ts';
import {formatQuestions} from '../../domain/run-questions.ts';
import {isPaused} from '../../domain/task.ts';
import {runWithoutTasks, type Trace} from '../../domain/trace.ts';
import {traceName} from '../../host/views/name.ts';
import {asksPerson} from '../../host/views/run.ts';
import type {Wait} from '../../host/waits/waits.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Gauge} from '../components/gauge.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {Table} from '../components/table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {span} from '../parts/line.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {formatFullSlots, shownActivities} from '../store/past.ts';
import {taskList} from '../store/selectors.ts';
import {selectedTrace} from '../store/trace-list.ts';
import {selectedWaits} from '../store/waits.ts';
import type {PaneProps} from './pane-props.ts';
import {taskColumns} from './task-columns.ts';
import {frame, titleForm} from './tasks-title.ts';

/** The tasks of the selected trace as a tree. */
export const TasksPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const trace = useSelector(selectedTrace);
	const {all, rows, selected, filter, place: position} = useList('tasks', taskList, height - 1);
	const waits = useSelector(selectedWaits);
	const activities = useSelector(shownActivities);
	const slots = useSelector(formatFullSlots);
	const defaultBee = useSelector(({status}) => status.defaultBee ?? '');
	const isTimed = rows.some(({task}) => task.status === 'running' || isPaused(task));
	const now = useSelector(state => (isTimed ? state.now : 0));
	if (!trace) return <Pane area={area} isFocused={isFocused} title={<PaneTitle>Tasks</PaneTitle>} />;
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<TasksTitle trace={trace} position={position} width={width} />}
		>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={noTasks(trace, waits)} />
			) : (
				<Table
					columns={taskColumns({trace, defaultBee, doings: activities, now, places: slots}, all, width)}
					width={width}
					rows={rows}
					idOf={({task}) => task.taskId}
					selected={selected}
					isFocused={isFocused}
				/>
			)}
		</Pane>
	);
});

type TitleProps = {readonly trace: Trace; readonly position: string; readonly width: number};

/**
 * On a narrow pane the trace's name is cut first. Then the bar, the id and the words beside numbers are
 * dropped.
 */
const TasksTitle = ({trace, position, width}: TitleProps) => {
	const hasId = useSelector(({size}) => size.columns >= idsFrom);
	const {name, cells, id, label, spending, hasHoney} = titleForm({
		...{trace, hasId, name: span(traceName(trace)).text},
		room: width - frame - `Tasks ${position} · `.length,
	});
	return (
		<>
			<Box flexShrink={0}>
				<SafeText tone="strong">{`Tasks ${position} · `}</SafeText>
			</Box>
			<SafeText tone="strong">{name}</SafeText>
			{id === '' ? null : (
				<Box flexShrink={0}>
					<SafeText tone="dim">{id}</SafeText>
				</Box>
			)}
			{hasHoney ? (
				<>
					<Box flexShrink={0}>
						<SafeText>{label}</SafeText>
					</Box>
					<Gauge remaining={trace.energyRemaining} budget={trace.energyBudget} cells={cells} />
				</>
			) : null}
			{spending === '' ? null : (
				<Box flexShrink={0}>
					<SafeText tone={exhausted(trace) === undefined ? 'plain' : 'bad'}>{spending}</SafeText>
				</Box>
			)}
		</>
	);
};

const noTasks = (trace: Trace, waits: readonly Wait[]): readonly string[] => {
	const run = runWithoutTasks(trace);
	if (waits.length > 0)
		return [
			'No tasks yet. The request waits for',
			...waits.flatMap(({what, next}) => [what, ...(next === undefined ? [] : [`  Next: ${next}`])]),
		];
	if (run === undefined || run.status === 'running')
		return ['No tasks yet: a planning bee writes the plan.', '2 shows its run.'];
	if (asksPerson(trace, run))
		return [`No tasks yet: ${run.bee} asks you: ${formatQuestions(run)}`, 't answers it; 2 shows its run.'];
	const ended = run.status === 'failed' ? 'failed' : 'ended without a plan';
	return [`No tasks: ${run.bee} ${ended}.`, '2 shows its run; t retries it; c asks again.'];
};
