import {memo} from 'react';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {type Column, Table} from '../components/table.tsx';
import {filterNote, useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {inside} from '../layout.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth} from '../parts/column-width.ts';
import type {Tone} from '../parts/line.ts';
import {age, shortId, stateMarks} from '../parts/words.ts';
import {perObject} from '../store/memo.ts';
import {sessionList} from '../store/selectors.ts';
import type {SessionRow} from '../store/sessions.ts';
import type {PaneProps} from './pane-props.ts';

/** Programs that people talk with. */
export const SessionsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const {all, rows, selected, filter} = useList('sessions', sessionList, height - 1);
	const now = useSelector(state => state.now);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`Sessions ${all.length}${filterNote(filter)}`}</PaneTitle>}
		>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['No sessions yet.', 'C starts one, or:', '  hive bee chat <role>']}
				/>
			) : (
				<Table
					columns={columnsOf(now, beeWidth(longestBee(all), width))}
					width={width}
					rows={rows}
					idOf={({session}) => session.sessionId}
					selected={selected}
				/>
			)}
		</Pane>
	);
});

const longestBee = perObject((rows: readonly SessionRow[]): number =>
	rows.reduce((most, {session}) => Math.max(most, widthOf(session.bee)), 0),
);

const stateOf = ({session}: SessionRow): readonly [string, Tone] => {
	const {state, attached} = session;
	switch (state) {
		case 'starting':
			return ['○ starting', 'plain'];
		case 'active':
			return attached > 0 ? ['▶ attached', 'info'] : ['▶ active', 'info'];
		case 'ended':
			return ['· ended', 'dim'];
		default:
			return [`${stateMarks[state][0]} ${state}`, stateMarks[state][1]];
	}
};

const columnsOf = (now: number, bees: number): readonly Column<SessionRow>[] => [
	{title: 'BEE', width: bees, cell: ({session}) => [session.bee]},
	{title: 'STATE', width: 11, cell: stateOf},
	{title: 'TRACE', width: 'grow', cell: ({trace}) => [shortId(trace.traceId), 'dim']},
	{
		title: 'PID',
		width: 7,
		align: 'right',
		from: 44,
		cell: ({session}) => [String(session.pid ?? '-'), 'dim'],
	},
	{title: 'AGE', width: 4, align: 'right', cell: ({session}) => [age(session.startedAt, now), 'dim']},
];
