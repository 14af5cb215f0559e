import {Box} from 'ink';
import {memo} from 'react';
import type {Task} from '../../domain/task.ts';
import {taskName} from '../../host/views/name.ts';
import {Lines} from '../components/lines.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RunsTable} from '../components/runs-table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../store/layout.ts';
import {rowsOfRunFacts} from '../store/run-facts.ts';
import {runList, selectedTask} from '../store/selectors.ts';
import {taskDecision} from '../store/texts.ts';
import type {PaneProps} from './pane-props.ts';

/** Facts about the selected task, and its runs. */
export const RunsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const task = useSelector(selectedTask);
	const decision = useSelector(taskDecision);
	const facts = useSelector(rowsOfRunFacts);
	const room = height - decision.length - 2;
	const runsHeight = Math.max(minRuns, room - facts.length);
	const {all, rows, selected, place: position} = useList('runs', runList, Math.min(room, runsHeight));
	const factRows = room - rows.length;
	return (
		<Pane area={area} isFocused={isFocused} title={<RunsTitle task={task} position={position} />}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				<Lines lines={decision} />
			</Box>
			{all.length === 0 ? null : (
				<RunsTable
					all={all}
					rows={rows}
					selected={selected}
					width={width}
					isFocused={isFocused}
					areOfTask={task !== undefined}
				/>
			)}
			{factRows > 0 && all.length > 0 ? <Lines lines={facts.slice(0, factRows)} /> : null}
		</Pane>
	);
});

/** Min rows of runs above the facts about the selected one. */
const minRuns = 3;

type TitleProps = {readonly task: Task | undefined; readonly position: string};

const RunsTitle = ({task, position}: TitleProps) => {
	return <PaneTitle>{`Runs ${position}${task ? ` · ${taskName(task)}` : ''}`}</PaneTitle>;
};
