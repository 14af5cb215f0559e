import type {RunRecord} from '../../domain/run.ts';
import type {Doings} from '../../host/views/doing.ts';
import {runName, traceName} from '../../host/views/name.ts';
import {endWords, runWords, warningMark} from '../../host/views/run.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {idsFrom} from '../layout.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth} from '../parts/column-width.ts';
import {doingText} from '../parts/doing-text.ts';
import {type Line, span, type Tone} from '../parts/line.ts';
import {type CellText, spreadLine} from '../parts/row-line.ts';
import {clockTime, runTime, shortId, stateMarks} from '../parts/words.ts';
import {perObject} from '../store/memo.ts';
import {shownDoings} from '../store/past.ts';
import type {RunRow} from '../store/selectors.ts';
import {type Column, Table} from './table.tsx';

type Props = {
	readonly all: readonly RunRow[];
	readonly rows: readonly RunRow[];
	readonly selected: RunRow | undefined;
	readonly width: number;
	readonly isFocused: boolean;
	/** Of one task, which need not be named. */
	readonly areOfTask: boolean;
};

/** Runs, and how they ended: in their rows where those have room, else below the selected one. */
export const RunsTable = ({all, rows, selected, width, isFocused, areOfTask}: Props) => {
	const isRunning = rows.some(({run}) => run.status === 'running');
	const now = useSelector(state => (isRunning ? state.now : 0));
	const doings = useSelector(shownDoings);
	const hasIds = useSelector(({size}) => size.columns >= idsFrom);
	const columnsOf = areOfTask ? taskRunColumns : everyRunColumns;
	const columns = columnsOf(now, beeWidth(longestBee(all), width), areWarned(all));
	const showsId = hasIds && width >= (areOfTask ? 49 : 76);
	const end = areOfTask && width >= roomForEnd ? [ended(doings, now)] : [];
	return (
		<Table
			columns={[...columns, ...end, ...(showsId ? [agent] : [])]}
			width={width}
			rows={rows}
			idOf={({run}) => run.agentId}
			selected={selected}
			isFocused={isFocused}
			{...(end.length > 0
				? {}
				: {below: endBelow(width, hasIds && !showsId, row => endOf(row, doings, now))})}
		/>
	);
};

/** From here on the runs of a task have room for how they ended. */
const roomForEnd = 66;

/** How it ended, or what it is at. */
const endOf = ({run}: RunRow, doings: Doings, now: number): readonly [text: string, tone: Tone] => {
	const doing = doings.get(run.agentId);
	if (run.status === 'running') return [doing ? doingText(doing, now) : '', 'dim'];
	return [endWords(run), run.status === 'failed' ? 'bad' : 'dim'];
};

const ended = (doings: Doings, now: number): Column<RunRow> => ({
	title: 'END',
	width: 'grow',
	cell: row => endOf(row, doings, now),
});

const endBelow =
	(width: number, showsId: boolean, end: (row: RunRow) => readonly [text: string, tone: Tone]) =>
	(row: RunRow, isSelected: boolean): Line | undefined => {
		const [text, tone] = end(row);
		if (!isSelected || (text === '' && !showsId)) return undefined;
		const id = showsId ? [span(shortId(row.run.agentId), 'dim')] : [];
		return spreadLine([span(`   ${text}`, tone)], id, width);
	};

const longestBee = perObject((rows: readonly RunRow[]): number =>
	rows.reduce((most, {run}) => Math.max(most, widthOf(run.bee)), 0),
);

const areWarned = perObject((rows: readonly RunRow[]): boolean =>
	rows.some(({run}) => run.warnings !== undefined),
);

const stateOf = (run: RunRecord): readonly [string, Tone] => {
	const words = runWords(run);
	const [glyph, tone] = stateMarks[words];
	return [`${glyph} ${words}`, tone];
};

const agent: Column<RunRow> = {title: 'ID', width: 16, cell: ({run}) => [shortId(run.agentId), 'dim']};
const bee = (width: number): Column<RunRow> => ({title: 'BEE', width, cell: ({run}) => [run.bee]});
const outcome: Column<RunRow> = {title: 'STATE', width: 11, cell: ({run}) => stateOf(run)};
/** Only where a run has some: there is little room. */
const warned = (areThere: boolean): readonly Column<RunRow>[] =>
	areThere
		? [{title: '', width: 3, cell: ({run}) => [warningMark(run.warnings?.length ?? 0), 'accent']}]
		: [];
const started: Column<RunRow> = {
	title: 'START',
	width: 8,
	cell: ({run}) => [clockTime(run.startedAt), 'dim'],
};
const took = (now: number): Column<RunRow> => ({
	title: 'DUR',
	width: 6,
	align: 'right',
	cell: ({run}) => [runTime(run, now)],
});

type Columns = (now: number, bees: number, areWarnings: boolean) => readonly Column<RunRow>[];

const taskRunColumns: Columns = (now, bees, areWarnings) => [
	bee(bees),
	outcome,
	...warned(areWarnings),
	{...started, from: 60},
	took(now),
];

const everyRunColumns: Columns = (now, bees, areWarnings) => [
	{title: 'TITLE', width: 'grow', cell: nameOf},
	bee(bees),
	outcome,
	...warned(areWarnings),
	{...started, from: 90},
	took(now),
];

const nameOf = ({run, trace}: RunRow): CellText => {
	const [name, ofTrace] = [runName(trace, run), traceName(trace)];
	return name === ofTrace ? [name] : [name, undefined, [ofTrace, 'dim']];
};
