import {exhausted} from '../../domain/reserve.ts';
import {statusWords} from '../../domain/status-words.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Overlap} from '../../host/views/clashes.ts';
import type {MachineView} from '../../host/views/machines.ts';
import {traceName} from '../../host/views/name.ts';
import {landingLabel} from '../../host/views/task.ts';
import type {Column} from '../components/table.tsx';
import {widthOf} from '../parts/cells.ts';
import {formatAge, formatCountdown, stateMarks} from '../parts/format.ts';
import {idColumn} from '../parts/id-column.ts';
import type {ColourToken} from '../parts/line.ts';
import type {CellText} from '../parts/row-line.ts';
import {sharingNote} from '../store/clashes.ts';
import {machineOf} from '../store/machines.ts';
import {perObject} from '../store/memo.ts';
import type {TraceListRow, TraceRow} from '../store/trace-list.ts';

type Facts = {
	readonly now: number;
	readonly places: readonly MachineView[];
	readonly overlaps: readonly Overlap[];
	readonly traces: ReadonlyMap<string, Trace>;
	readonly all: readonly TraceListRow[];
	readonly hasIds: boolean;
	readonly isUnfolded: boolean;
};

/**
 * The columns of the trace list. The title is first, with the reason of a stall beside it; the id is last.
 * Columns take the width of their content, and the title takes the rest.
 */
export const traceColumns = (facts: Facts): readonly Column<TraceListRow>[] => {
	const {all, now, hasIds, isUnfolded: isExpanded} = facts;
	const {state, honey: honeyWidth, done} = widthsOf(all);
	return [
		{title: 'ST', width: 2, cell: ofTrace(traceMark, [isExpanded ? '▾' : '▸', 'dim'])},
		{
			title: 'TITLE',
			width: 'grow',
			cell: row =>
				row.trace
					? besideName(row, formatNote(row, facts))
					: [`Finished ${row.finished}`, 'dim', [collapseHint(isExpanded), 'dim']],
		},
		{title: 'STATE', width: state, from: 98, cell: ofTrace(stateOf)},
		...(honeyWidth === 0
			? []
			: [
					{
						...({title: 'HONEY', width: honeyWidth, from: 68, align: 'right'} as const),
						cell: ofTrace(row => [honey(row), honeyTone(row)]),
					},
				]),
		{title: 'DONE', width: done, align: 'right', cell: ofTrace(row => [formatDone(row)])},
		{
			title: 'AGE',
			width: 4,
			align: 'right',
			cell: ofTrace(({trace}) => [formatAge(trace.createdAt, now), 'dim']),
		},
		...(hasIds ? [{...idColumn(all, ({trace}) => trace?.traceId ?? ''), from: idWidth}] : []),
	];
};

/** From this many columns a title has room beside an id. */
const idWidth = 58;

/** Widths of columns by all rows, so that they stay while scrolling. 0 for a column without content. */
const widthsOf = perObject((all: readonly TraceListRow[]) => {
	const rows = all.flatMap(row => (row.trace ? [row] : []));
	const widest = (textOf: (row: TraceRow) => string, title: string): number =>
		rows.reduce((most, row) => Math.max(most, widthOf(textOf(row))), title.length);
	const hasHoney = rows.some(({trace}) => trace.energyBudget !== undefined);
	return {
		state: widest(row => stateOf(row)[0], 'STATE'),
		honey: hasHoney ? widest(honey, 'HONEY') : 0,
		done: widest(formatDone, 'DONE'),
	};
});

const formatDone = ({work}: TraceRow): string => `${work.done}/${work.total}`;

const collapseHint = (isExpanded: boolean): string => (isExpanded ? 'Enter folds' : 'Enter unfolds');

const ofTrace =
	(cell: (row: TraceRow) => CellText, ofFold: CellText = ['']) =>
	(row: TraceListRow): CellText =>
		row.trace ? cell(row) : ofFold;

const formatName = ({title, trace}: TraceRow): CellText =>
	title === '' ? [traceName(trace), 'dim'] : [title];

/** The note is beside the name. Without one, the agent's title is, where there is room. */
const besideName = (row: TraceRow, note: readonly [string, ColourToken]): CellText => {
	const [name, tone] = formatName(row);
	return [name, tone, note[0] === '' ? [row.agentTitle, 'dim', 'spare'] : note];
};

/**
 * The most important note about a trace, preceded by the other machine that holds it. A paused trace resumes
 * by itself.
 */
const formatNote = (
	{trace, note, pausedUntil}: TraceRow,
	{places: machines, overlaps, traces, now}: Facts,
): readonly [string, ColourToken] => {
	const machine = machineOf(machines, trace);
	const at = machine === '' ? [] : [`@${machine}`];
	if (pausedUntil !== undefined)
		return [[...at, `until ${formatCountdown(pausedUntil, now)}`].join(' '), 'accent'];
	if (note !== '') return [[...at, note].join(' '), 'bad'];
	const sharing = sharingNote(overlaps, traces, trace.traceId);
	// Short beside a title, which is more important.
	const base = trace.base === undefined ? [] : [`into ${trace.base.branch}`];
	return sharing === '' ? [[...at, ...base].join(' '), 'dim'] : [[...at, `≈ ${sharing}`].join(' '), 'accent'];
};

const stateOf = (row: TraceRow): readonly [string, ColourToken] => [statusWords(row.state), toneOf(row)];

/** What is landing waits for no person. */
const toneOf = ({state, status}: TraceRow): ColourToken =>
	state === landingLabel ? 'info' : stateMarks[status][1];

const honey = ({trace: {energyRemaining, energyBudget}}: TraceRow): string =>
	energyBudget === undefined ? '-' : `${energyRemaining}/${energyBudget}`;

const honeyTone = ({trace}: TraceRow): ColourToken =>
	trace.energyBudget !== undefined && exhausted(trace) !== undefined ? 'bad' : 'plain';

/** The mark of the trace's state, and a second one if it also waits for a person. */
const traceMark = (row: TraceRow): readonly [string, ColourToken] => {
	const {status, isWaiting} = row;
	const [glyph] = stateMarks[status];
	return isWaiting && status === 'running'
		? [`${glyph}${stateMarks.waiting_review[0]}`, 'accent']
		: [glyph, toneOf(row)];
};
