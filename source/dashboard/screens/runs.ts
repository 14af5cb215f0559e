import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import {type Area, inside, type PaneView} from '../parts/frame.ts';
import {type Line, line, span, type Tone, widthOf} from '../parts/line.ts';
import {beeWidth, type Column, tableHead, tableRow} from '../parts/table.ts';
import {windowAround} from '../parts/window.ts';
import {clockTime, runTime, shortId, stateMarks} from '../parts/words.ts';
import {decisionLines} from '../store/decision.ts';
import {perObject} from '../store/memo.ts';
import {allRunList, type RunRow, runList, selectedTask, selectedTrace} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {emptyBody, filterNote} from './empty.ts';

const stateOf = ({status}: RunRecord): readonly [string, Tone] => {
	const [glyph, tone] = stateMarks[status];
	return [`${glyph} ${status}`, tone];
};

const agent: Column<RunRow> = {title: 'AGENT', width: 16, cell: ({run}) => [shortId(run.agentId)]};
const bee = (width: number): Column<RunRow> => ({title: 'BEE', width, cell: ({run}) => [run.bee]});
const outcome: Column<RunRow> = {title: 'STATE', width: 11, cell: ({run}) => stateOf(run)};
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

const taskRunColumns = (now: number, bees: number): readonly Column<RunRow>[] => [
	agent,
	bee(bees),
	outcome,
	started,
	took(now),
];

const everyRunColumns = (now: number, bees: number): readonly Column<RunRow>[] => [
	agent,
	bee(bees),
	{title: 'TRACE', width: 9, from: 90, cell: ({trace}) => [shortId(trace.traceId), 'dim']},
	{title: 'TASK', width: 'grow', from: 56, cell: ({run}) => [run.taskId ?? '(direct)']},
	outcome,
	{...started, from: 72},
	took(now),
];

/** What to know of the selected task, and its runs. */
export const runsPane = (state: State, area: Area): PaneView => {
	const task = selectedTask(state);
	const trace = selectedTrace(state);
	const head = task && trace ? decisionLines(trace, task).map(known => [span(' '), ...known]) : [];
	const table = runsTable(
		state,
		{...area, height: area.height - head.length},
		'runs',
		`Runs${task ? ` · ${task.taskId}` : ''}`,
		noRunYet(task),
	);
	return {...table, body: [...head, ...table.body]};
};

const noRunYet = (task: Task | undefined): readonly string[] => {
	if (task?.review === 'final')
		return [
			'A gate has no runs: a person decides.',
			...(task.status === 'waiting_review' ? ['3 shows what it would merge.'] : []),
		];
	if (task?.status === 'ready') return ['No run yet.', 'A reactor starts it: hive run'];
	return ['No run yet.', 'One starts when the task is ready.'];
};

/** Runs of every trace. */
export const allRunsPane = (state: State, area: Area): PaneView => {
	const title = `Runs ${allRunList.rows(state).length}${filterNote(state.filters.allRuns ?? '')}`;
	return runsTable(state, area, 'allRuns', title, ['No runs yet.', 'c runs a cue.']);
};

const runsTable = (
	state: State,
	area: Area,
	name: 'runs' | 'allRuns',
	title: string,
	otherwise: readonly string[],
): PaneView => {
	const {width, height} = inside(area);
	const list = name === 'runs' ? runList : allRunList;
	const rows = list.rows(state);
	if (rows.length === 0)
		return {title: line(title, 'strong'), body: emptyBody(state.filters[name] ?? '', otherwise)};
	const columnsOf = name === 'allRuns' ? everyRunColumns : taskRunColumns;
	const columns = columnsOf(state.now, beeWidth(longestBee(rows), width));
	const at = list.position(state);
	const {start, end} = windowAround(at, rows.length, height - 2);
	const body = rows.slice(start, end).flatMap((row, index) => {
		const isSelected = start + index === at;
		const first = tableRow(columns, width, row, isSelected);
		return isSelected && row.run.status !== 'running' ? [first, endOf(row.run)] : [first];
	});
	return {title: line(title, 'strong'), body: [tableHead(columns, width), ...body]};
};

const longestBee = perObject((rows: readonly RunRow[]): number =>
	rows.reduce((most, {run}) => Math.max(most, widthOf(run.bee)), 0),
);

const endOf = ({exitCode, summary, status}: RunRecord): Line => [
	span('   '),
	span(`exit ${exitCode ?? '-'}`, status === 'failed' ? 'bad' : 'dim'),
	span(summary ? ` · ${summary}` : '', 'dim'),
];
