import {exhausted} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Overlap} from '../../host/views/clashes.ts';
import type {MachineView} from '../../host/views/machines.ts';
import {traceName} from '../../host/views/name.ts';
import type {Column} from '../components/table.tsx';
import {formatAge, formatUntil, shortId, stateMarks} from '../parts/format.ts';
import {idColumn} from '../parts/id-column.ts';
import {type ColourToken, type Line, span} from '../parts/line.ts';
import {type CellText, spreadLine} from '../parts/row-line.ts';
import {sharingNote} from '../store/clashes.ts';
import {machineOf} from '../store/machines.ts';
import type {TraceListRow, TraceRow} from '../store/trace-list.ts';

type Facts = {
	readonly now: number;
	readonly places: readonly MachineView[];
	readonly overlaps: readonly Overlap[];
	readonly traces: ReadonlyMap<string, Trace>;
	readonly all: readonly TraceListRow[];
	/** True if each trace has a second row. */
	readonly isTall: boolean;
	readonly hasIds: boolean;
	readonly isUnfolded: boolean;
};

/**
 * The columns of the trace list. The title is first, with the reason of a stall beside it; the id is last.
 */
export const traceColumns = (facts: Facts): readonly Column<TraceListRow>[] => {
	const {isTall, isUnfolded: isExpanded} = facts;
	return [
		{title: 'ST', width: 2, cell: ofTrace(traceMark, [isExpanded ? '▾' : '▸', 'dim'])},
		{
			title: 'TITLE',
			width: 'grow',
			cell: row => {
				if (!row.trace) return [`${row.finished} finished`, 'dim', [collapseHint(isExpanded), 'dim']];
				return isTall ? formatName(row) : besideName(row, formatNote(row, facts));
			},
		},
		{title: 'STATE', width: 14, from: 98, cell: ofTrace(stateOf)},
		{title: 'HONEY', width: 7, from: 68, align: 'right', cell: ofTrace(row => [honey(row), honeyTone(row)])},
		{title: 'DONE', width: 5, align: 'right', cell: ofTrace(({work}) => [`${work.done}/${work.total}`])},
		...(isTall ? [] : lastColumns(facts)),
	];
};

/** Columns that move to the second row if there is one. */
const lastColumns = ({now, all, hasIds}: Facts): readonly Column<TraceListRow>[] => [
	{
		title: 'AGE',
		width: 4,
		align: 'right',
		cell: ofTrace(({trace}) => [formatAge(trace.createdAt, now), 'dim']),
	},
	...(hasIds ? [idColumn(all, ({trace}) => trace?.traceId ?? '')] : []),
];

const collapseHint = (isExpanded: boolean): string => (isExpanded ? 'Enter folds' : 'Enter unfolds');

const ofTrace =
	(cell: (row: TraceRow) => CellText, ofFold: CellText = ['']) =>
	(row: TraceListRow): CellText =>
		row.trace ? cell(row) : ofFold;

/** The second row: why the trace is stalled, else its state; then its age and id. */
export const underTrace =
	(facts: Facts, width: number) =>
	(row: TraceListRow): Line | undefined => {
		if (!row.trace) return undefined;
		const [note, tone] = formatNote(row, facts);
		const {traceId, createdAt} = row.trace;
		const last = ` ${formatAge(createdAt, facts.now)} ${shortId(traceId)}`;
		const room = width - indent.length - last.length;
		const words = note === '' ? span(formatActivity(row, room), 'dim') : span(note, tone);
		return spreadLine([span(indent), words], [span(last.trimStart(), 'dim')], width);
	};

const indent = '    ';

/** Its state and its honey. The honey is dropped if there is no room. */
const formatActivity = (row: TraceRow, room: number): string => {
	const [state] = stateOf(row);
	const words = `${state} · ${honey(row)}`;
	return words.length > room ? state : words;
};

const formatName = ({title, trace}: TraceRow): CellText =>
	title === '' ? [traceName(trace), 'dim'] : [title];

const besideName = (row: TraceRow, note: readonly [string, ColourToken]): CellText => {
	const [name, tone] = formatName(row);
	return [name, tone, note];
};

/**
 * The most important note about a trace, preceded by the other machine that holds it. A paused trace resumes
 * by itself.
 */
const formatNote = (
	{trace, note, pausedUntil}: TraceRow,
	{places: machines, overlaps, traces, now, isTall}: Facts,
): readonly [string, ColourToken] => {
	const machine = machineOf(machines, trace);
	const at = machine === '' ? [] : [`@${machine}`];
	if (pausedUntil !== undefined)
		return [[...at, `until ${formatUntil(pausedUntil, now)}`].join(' '), 'accent'];
	if (note !== '') return [[...at, note].join(' '), 'bad'];
	const sharing = sharingNote(overlaps, traces, trace.traceId);
	// Short beside a title, which is more important.
	const shares = isTall ? `≈ same lines: ${sharing}` : `≈ ${sharing}`;
	return sharing === '' ? [at.join(''), 'dim'] : [[...at, shares].join(' '), 'accent'];
};

const stateOf = ({state, status}: TraceRow): readonly [string, ColourToken] => [
	state.replaceAll('_', ' '),
	stateMarks[status][1],
];

const honey = ({trace: {energyRemaining, energyBudget}}: TraceRow): string =>
	energyBudget === undefined ? '-' : `${energyRemaining}/${energyBudget}`;

const honeyTone = ({trace}: TraceRow): ColourToken =>
	trace.energyBudget !== undefined && exhausted(trace) !== undefined ? 'bad' : 'plain';

/** The mark of the trace's state, and a second one if it also waits for a person. */
const traceMark = ({status, isWaiting}: TraceRow): readonly [string, ColourToken] => {
	const [glyph, tone] = stateMarks[status];
	return isWaiting && status === 'running'
		? [`${glyph}${stateMarks.waiting_review[0]}`, 'accent']
		: [glyph, tone];
};
