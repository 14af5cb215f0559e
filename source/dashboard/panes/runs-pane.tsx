import {Box} from 'ink';
import {memo} from 'react';
import type {Task} from '../../domain/task.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Lines} from '../components/lines.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RunsTable} from '../components/runs-table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {runList, selectedTask} from '../store/selectors.ts';
import {taskDecision} from '../store/texts.ts';
import type {PaneProps} from './pane-props.ts';

/** What to know of the selected task, and its runs. */
export const RunsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const task = useSelector(selectedTask);
	const decision = useSelector(taskDecision);
	const {all, rows, selected, filter} = useList('runs', runList, height - decision.length - 2);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Runs${task ? ` · ${task.taskId}` : ''}`}</PaneTitle>}
		>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				<Lines lines={decision} />
			</Box>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={noRunYet(task)} />
			) : (
				<RunsTable all={all} rows={rows} selected={selected} width={width} hasTraces={false} />
			)}
		</Pane>
	);
});

const noRunYet = (task: Task | undefined): readonly string[] => {
	if (task?.review === 'final')
		return [
			'A gate has no runs: a person decides.',
			...(task.status === 'waiting_review' ? ['3 shows what it would merge.'] : []),
		];
	if (task?.status === 'ready') return ['No run yet.', 'A reactor starts it: hive run'];
	return ['No run yet.', 'One starts when the task is ready.'];
};
