import {Box} from 'ink';
import {memo} from 'react';
import {titleOf} from '../../domain/trace.ts';
import {warningMark} from '../../host/views/run.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {wrapWords} from '../parts/cells.ts';
import {age, shortId} from '../parts/words.ts';
import {perObject} from '../store/memo.ts';
import {type QueueRow, queueList} from '../store/selectors.ts';
import type {PaneProps} from './pane-props.ts';

/** Everything that waits for a person, the longest waiting first. */
export const QueuePane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const now = useSelector(state => state.now);
	const texts = useSelector(queueList.selected);
	const details = height > 14 && texts ? detailsOf(texts) : [];
	const detailRows = details.reduce((sum, text) => sum + wrapWords(text, width - 1).length, 0);
	const free = height - 1 - (detailRows === 0 ? 0 : detailRows + 1);
	const {all, rows, selected, filter} = useList('queue', queueList, free);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Review queue ${all.length}${filterNote(filter)}`}</PaneTitle>}
		>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['Nothing waits for you.', 'Gates show up here by themselves.']}
				/>
			) : (
				<Table
					columns={queueColumns(now, all)}
					width={width}
					rows={rows}
					idOf={({trace, task}) => `${trace.traceId}/${task.taskId}`}
					selected={selected}
				/>
			)}
			<Box flexDirection="column" flexShrink={0} marginTop={1} paddingLeft={1}>
				{details.map((text, index) => (
					<SafeText key={text} tone={index === 0 ? 'strong' : 'plain'} wrap="wrap">
						{text}
					</SafeText>
				))}
			</Box>
		</Pane>
	);
});

/** What the task is about. */
const detailsOf = ({trace, task}: QueueRow): readonly string[] =>
	[titleOf(trace), task.title, task.summary].filter(
		(text, index, all) => text !== '' && all.indexOf(text) === index,
	);

const queueColumns = (now: number, all: readonly QueueRow[]): readonly Column<QueueRow>[] => [
	{title: 'TRACE', width: 9, cell: ({trace}) => [shortId(trace.traceId)]},
	{title: 'TASK', width: 'grow', cell: ({task}) => [task.taskId]},
	{title: 'GATE', width: 8, cell: ({gate}) => [gate, gate === 'final' ? 'accent' : 'plain']},
	...(areWarned(all) ? [warned] : []),
	{title: 'AGE', width: 4, align: 'right', cell: ({task}) => [age(task.updatedAt, now), 'dim']},
];

const areWarned = perObject((rows: readonly QueueRow[]): boolean =>
	rows.some(({warnings}) => warnings.length > 0),
);

const warned: Column<QueueRow> = {
	title: '',
	width: 3,
	cell: ({warnings}) => [warningMark(warnings.length), 'accent'],
};
