import type {RunRecord} from '../../domain/run.ts';
import {formatUsage, type RunActivities} from '../../host/views/activity.ts';
import {beeName, runName, traceName} from '../../host/views/name.ts';
import {formatRunEnd, runStatusLabel, warningMark} from '../../host/views/run.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {activityCell} from '../parts/activity-cell.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth} from '../parts/column-width.ts';
import {formatRunTime, formatTime, shortId, stateMarks} from '../parts/format.ts';
import {type ColourToken, type Line, span} from '../parts/line.ts';
import {type CellText, spreadLine} from '../parts/row-line.ts';
import {idsFrom} from '../store/layout.ts';
import {perObject} from '../store/memo.ts';
import {shownActivities} from '../store/past.ts';
import type {RunRow} from '../store/selectors.ts';
import {type Column, Table} from './table.tsx';

type Props = {
	readonly all: readonly RunRow[];
	readonly rows: readonly RunRow[];
	readonly selected: RunRow | undefined;
	readonly width: number;
	readonly isFocused: boolean;
	/** True if all runs are of one task, which then is not named. */
	readonly areOfTask: boolean;
};

/**
 * A table of runs. The current step or the result is in the row if there is room, else below the selected
 * row.
 */
export const RunsTable = ({all, rows, selected, width, isFocused, areOfTask}: Props) => {
	const isRunning = rows.some(({run}) => run.status === 'running');
	const now = useSelector(state => (isRunning ? state.now : 0));
	const activities = useSelector(shownActivities);
	const hasIds = useSelector(({size}) => size.columns >= idsFrom);
	const columnsOf = areOfTask ? taskRunColumns : everyRunColumns;
	const end = width >= (areOfTask ? roomForEnd : roomForTitleAndEnd) ? [endCell(activities, now)] : [];
	const besideName = (row: RunRow): string =>
		end.length > 0 || row === selected || row.run.status !== 'running'
			? ''
			: formatEnd(row, activities, now)[0];
	const facts = {
		now,
		doings: activities,
		bees: beeWidth(maxBeeWidth(all), width),
		areWarnings: areWarned(all),
		besideName,
	};
	const columns = columnsOf(facts);
	const showsId = hasIds && width >= (areOfTask ? 49 : 76);
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
				: {below: endBelow(width, hasIds && !showsId, row => formatEnd(row, activities, now))})}
		/>
	);
};

/** From this many columns the runs of a task have room for their result. */
const roomForEnd = 66;
/** From this many columns the runs of all traces have room for their title and their result. */
const roomForTitleAndEnd = 100;

/** The result of a run, or its current step and its usage so far. */
const formatEnd = ({run}: RunRow, activities: RunActivities, now: number): CellText => {
	const activity = activities.get(run.agentId);
	if (run.status !== 'running') return [formatRunEnd(run), run.status === 'failed' ? 'bad' : 'dim'];
	return activity === undefined ? [''] : activityCell(activity, formatUsage(activity.used), now);
};

const endCell = (activities: RunActivities, now: number): Column<RunRow> => ({
	title: 'END',
	width: 'grow',
	cell: row => formatEnd(row, activities, now),
});

const endBelow =
	(width: number, showsId: boolean, end: (row: RunRow) => CellText) =>
	(row: RunRow, isSelected: boolean): Line | undefined => {
		const [text, tone, used] = end(row);
		if (!isSelected || (text === '' && !showsId)) return undefined;
		const id = showsId ? shortId(row.run.agentId) : '';
		const last = [used?.[0], id].filter(Boolean).join(' ');
		return spreadLine([span(`   ${text}`, tone)], [span(last, 'dim')], width);
	};

const maxBeeWidth = perObject((rows: readonly RunRow[]): number =>
	rows.reduce((most, {run}) => Math.max(most, widthOf(beeName(run.bee))), 0),
);

const areWarned = perObject((rows: readonly RunRow[]): boolean =>
	rows.some(({run}) => run.warnings !== undefined),
);

const stateOf = (run: RunRecord): readonly [string, ColourToken] => {
	const words = runStatusLabel(run);
	const [glyph, tone] = stateMarks[words];
	return [`${glyph} ${words}`, tone];
};

const agent: Column<RunRow> = {title: 'ID', width: 16, cell: ({run}) => [shortId(run.agentId), 'dim']};
const bee = (width: number): Column<RunRow> => ({title: 'BEE', width, cell: ({run}) => [beeName(run.bee)]});
const outcome: Column<RunRow> = {title: 'STATE', width: 11, cell: ({run}) => stateOf(run)};
/** The column exists only if a run has warnings, since room is scarce. */
const warned = (areThere: boolean): readonly Column<RunRow>[] =>
	areThere
		? [
				{
					title: '',
					width: 3,
					whole: true,
					cell: ({run}) => [warningMark(run.warnings?.length ?? 0), 'accent'],
				},
			]
		: [];
const started: Column<RunRow> = {
	title: 'START',
	width: 8,
	whole: true,
	cell: ({run}) => [formatTime(run.startedAt), 'dim'],
};
const formatDuration = ({now, doings: activities}: Pick<Facts, 'now' | 'doings'>): Column<RunRow> => ({
	title: 'DUR',
	width: 6,
	align: 'right',
	cell: ({run}) => [formatRunTime(run, activities, now)],
});

type Facts = {
	readonly now: number;
	readonly doings: RunActivities;
	/** Columns of the longest bee name. */
	readonly bees: number;
	readonly areWarnings: boolean;
	/** The current step of a run, in a table without a column for it. */
	readonly besideName: (row: RunRow) => string;
};

const taskRunColumns = ({bees, areWarnings, ...times}: Facts): readonly Column<RunRow>[] => [
	bee(bees),
	outcome,
	...warned(areWarnings),
	{...started, from: 60},
	formatDuration(times),
];

const everyRunColumns = ({bees, areWarnings, besideName, ...times}: Facts): readonly Column<RunRow>[] => [
	{title: 'TITLE', width: 'grow', cell: row => nameOf(row, besideName(row))},
	bee(bees),
	outcome,
	...warned(areWarnings),
	{...started, from: 130},
	formatDuration(times),
];

/**
 * The name of a run, with one note beside it: its current step, else its trace. The trace is left out if the
 * name contains it, as that of a rework does.
 */
const nameOf = ({run, trace}: RunRow, at: string): CellText => {
	const [name, ofTrace] = [runName(trace, run), traceName(trace)];
	if (at !== '') return [name, undefined, [at, 'dim']];
	return name.includes(ofTrace) ? [name] : [name, undefined, [ofTrace, 'dim']];
};
