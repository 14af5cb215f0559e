import {Box} from 'ink';
import type {RunRecord} from '../../domain/run.ts';
import {runWords, warningMark} from '../../host/views/run.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {widthOf} from '../parts/cells.ts';
import {beeWidth} from '../parts/column-width.ts';
import {span, type Tone} from '../parts/line.ts';
import {clockTime, runTime, shortId, stateMarks} from '../parts/words.ts';
import {perObject} from '../store/memo.ts';
import type {RunRow} from '../store/selectors.ts';
import {RichText} from './safe-text.tsx';
import {type Column, Table} from './table.tsx';

type Props = {
	readonly all: readonly RunRow[];
	readonly rows: readonly RunRow[];
	readonly selected: RunRow | undefined;
	readonly width: number;
	/** Of every trace: it says which. */
	readonly hasTraces: boolean;
};

/** Runs, the selected one with how it ended. */
export const RunsTable = ({all, rows, selected, width, hasTraces}: Props) => {
	const isRunning = rows.some(({run}) => run.status === 'running');
	const now = useSelector(state => (isRunning ? state.now : 0));
	const columnsOf = hasTraces ? everyRunColumns : taskRunColumns;
	return (
		<Table
			columns={columnsOf(now, beeWidth(longestBee(all), width), areWarned(all))}
			width={width}
			rows={rows}
			idOf={({run}) => run.agentId}
			selected={selected}
			below={endOf}
		/>
	);
};

const endOf = ({run}: RunRow, isSelected: boolean) =>
	isSelected && run.status !== 'running' ? (
		<Box height={1} flexShrink={0} paddingLeft={3}>
			<RichText
				line={[
					span(`exit ${run.exitCode ?? '-'}`, run.status === 'failed' ? 'bad' : 'dim'),
					span(run.summary ? ` · ${run.summary}` : '', 'dim'),
				]}
			/>
		</Box>
	) : null;

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

const agent: Column<RunRow> = {title: 'AGENT', width: 16, cell: ({run}) => [shortId(run.agentId)]};
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
	from: 54,
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
	agent,
	bee(bees),
	outcome,
	...warned(areWarnings),
	areWarnings ? {...started, from: 58} : started,
	took(now),
];

const everyRunColumns: Columns = (now, bees, areWarnings) => [
	agent,
	bee(bees),
	{title: 'TRACE', width: 9, from: 90, cell: ({trace}) => [shortId(trace.traceId), 'dim']},
	{title: 'TASK', width: 'grow', from: 56, cell: ({run}) => [run.taskId ?? '(direct)']},
	outcome,
	...warned(areWarnings),
	{...started, from: 72},
	took(now),
];
