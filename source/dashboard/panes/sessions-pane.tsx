import {memo} from 'react';
import {traceName} from '../../host/views/name.ts';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {type Column, Table} from '../components/table.tsx';
import {useList} from '../hooks/use-list.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth} from '../parts/column-width.ts';
import {formatAge, shortId, stateMarks} from '../parts/format.ts';
import {type ColourToken, type Line, span} from '../parts/line.ts';
import {idsFrom, inside} from '../store/layout.ts';
import {perObject} from '../store/memo.ts';
import {sessionList} from '../store/selectors.ts';
import type {SessionRow} from '../store/sessions.ts';
import type {PaneProps} from './pane-props.ts';

/** The sessions. */
export const SessionsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const {
		all,
		rows,
		selected,
		filter,
		place: position,
	} = useList('sessions', sessionList, Math.floor((height - 1) / (width < roomForTitle ? 2 : 1)));
	const now = useSelector(state => state.now);
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{`Sessions ${position}`}</PaneTitle>}>
			{all.length === 0 ? (
				<EmptyList
					filter={filter}
					otherwise={['No sessions yet.', 'C starts one, or:', '  hive bee chat <role>']}
				/>
			) : (
				<Table
					columns={columnsOf(now, beeWidth(maxBeeWidth(all), width), width)}
					width={width}
					rows={rows}
					idOf={({session}) => session.sessionId}
					selected={selected}
					isFocused={isFocused}
					{...(width < roomForTitle ? {below: formatWork(now)} : {})}
				/>
			)}
		</Pane>
	);
});

const maxBeeWidth = perObject((rows: readonly SessionRow[]): number =>
	rows.reduce((most, {session}) => Math.max(most, widthOf(session.bee)), 0),
);

const stateOf = ({session}: SessionRow, now: number): readonly [string, ColourToken] => {
	const {state, attached, waitingSince} = session;
	switch (state) {
		case 'starting':
			return ['○ starting', 'plain'];
		case 'waiting':
			return [`◆ waits ${formatAge(waitingSince ?? '', now)}`, 'accent'];
		case 'working':
			return attached > 0 ? ['▶ attached', 'info'] : ['▶ working', 'info'];
		case 'idle':
			return ['○ idle', 'plain'];
		case 'ended':
			return ['· ended', 'dim'];
		default:
			return [`${stateMarks[state][0]} ${state}`, stateMarks[state][1]];
	}
};

/** From this many columns a row has room for a title beside the bee and the state. */
const roomForTitle = 56;

/** The bee and the state, in a second row if the title leaves no room. */
const formatWork =
	(now: number) =>
	(row: SessionRow): Line => {
		const [words, tone] = stateOf(row, now);
		return [span(`   ${row.session.bee} `, 'dim'), span(words, tone)];
	};

const agentId: Column<SessionRow> = {
	title: 'ID',
	width: 16,
	cell: ({session}) => [shortId(session.sessionId), 'dim'],
};

const columnsOf = (now: number, bees: number, width: number): readonly Column<SessionRow>[] => [
	{title: 'TITLE', width: 'grow', cell: ({session, trace}) => [session.title || traceName(trace)]},
	{title: 'BEE', width: bees, from: roomForTitle, cell: ({session}) => [session.bee]},
	{title: 'STATE', width: 11, from: roomForTitle, cell: row => stateOf(row, now)},
	{
		title: 'PID',
		width: 7,
		align: 'right',
		from: roomForTitle,
		cell: ({session}) => [String(session.pid ?? '-'), 'dim'],
	},
	{title: 'AGE', width: 4, align: 'right', cell: ({session}) => [formatAge(session.startedAt, now), 'dim']},
	...(width < idsFrom - 2 ? [] : [agentId]),
];
