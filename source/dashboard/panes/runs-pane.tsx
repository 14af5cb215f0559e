import {Box} from 'ink';
import {memo} from 'react';
import type {Task} from '../../domain/task.ts';
import type {Wait} from '../../host/waits.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Lines} from '../components/lines.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RunsTable} from '../components/runs-table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {runList, selectedTask, selectedWaits} from '../store/selectors.ts';
import {taskDecision} from '../store/texts.ts';
import type {PaneProps} from './pane-props.ts';

/** What to know of the selected task, and its runs. */
export const RunsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const task = useSelector(selectedTask);
	const decision = useSelector(taskDecision);
	const waits = useSelector(selectedWaits);
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
				<EmptyList filter={filter} otherwise={noRunYet(task, waits)} />
			) : (
				<RunsTable all={all} rows={rows} selected={selected} width={width} hasTraces={false} />
			)}
		</Pane>
	);
});

const noRunYet = (task: Task | undefined, waits: readonly Wait[]): readonly string[] => {
	if (task?.review === 'final')
		return [
			'A gate has no runs: a person decides.',
			...(task.status === 'waiting_review' ? ['3 shows what it would merge.'] : []),
		];
	if (waits.length > 0)
		return [
			'No run yet. It waits for',
			...waits.flatMap(({what, next}) => [what, ...(next === undefined ? [] : [`  Next: ${next}`])]),
		];
	return [
		'No run yet.',
		task?.status === 'ready' ? 'A reactor starts it.' : 'One starts when the task is ready.',
	];
};
