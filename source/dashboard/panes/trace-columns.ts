import {exhausted} from '../../domain/reserve.ts';
import type {Trace} from '../../domain/trace.ts';
import type {Overlap} from '../../host/views/clashes.ts';
import {traceName} from '../../host/views/name.ts';
import type {PlaceView} from '../../host/views/places.ts';
import type {Column} from '../components/table.tsx';
import {idColumn} from '../parts/id-column.ts';
import {type Line, span, type Tone} from '../parts/line.ts';
import {type CellText, spreadLine} from '../parts/row-line.ts';
import {age, shortId, stateMarks, untilTime} from '../parts/words.ts';
import {sharingNote} from '../store/clashes.ts';
import {machineOf} from '../store/places.ts';
import type {TraceListRow, TraceRow} from '../store/trace-list.ts';

type Facts = {
	readonly now: number;
	readonly places: readonly PlaceView[];
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
	const {isTall, isUnfolded} = facts;
	return [
		{title: 'ST', width: 2, cell: ofTrace(traceMark, [isUnfolded ? '▾' : '▸', 'dim'])},
		{
			title: 'TITLE',
			width: 'grow',
			cell: row => {
				if (!row.trace) return [`${row.finished} finished`, 'dim', [foldHint(isUnfolded), 'dim']];
				return isTall ? nameOf(row) : besideName(row, noteOf(row, facts));
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
	{title: 'AGE', width: 4, align: 'right', cell: ofTrace(({trace}) => [age(trace.createdAt, now), 'dim'])},
	...(hasIds ? [idColumn(all, ({trace}) => trace?.traceId ?? '')] : []),
];

const foldHint = (isUnfolded: boolean): string => (isUnfolded ? 'Enter folds' : 'Enter unfolds');

const ofTrace =
	(cell: (row: TraceRow) => CellText, ofFold: CellText = ['']) =>
	(row: TraceListRow): CellText =>
		row.trace ? cell(row) : ofFold;

/** The second row: why the trace is stalled, else its state; then its age and id. */
export const underTrace =
	(facts: Facts, width: number) =>
	(row: TraceListRow): Line | undefined => {
		if (!row.trace) return undefined;
		const [note, tone] = noteOf(row, facts);
		const {traceId, createdAt} = row.trace;
		const last = ` ${age(createdAt, facts.now)} ${shortId(traceId)}`;
		const room = width - indent.length - last.length;
		const words = note === '' ? span(doesWords(row, room), 'dim') : span(note, tone);
		return spreadLine([span(indent), words], [span(last.trimStart(), 'dim')], width);
	};

const indent = '    ';

/** Its state and its honey. The honey is dropped if there is no room. */
const doesWords = (row: TraceRow, room: number): string => {
	const [state] = stateOf(row);
	const words = `${state} · ${honey(row)}`;
	return words.length > room ? state : words;
};

const nameOf = ({title, trace}: TraceRow): CellText => (title === '' ? [traceName(trace), 'dim'] : [title]);

const besideName = (row: TraceRow, note: readonly [string, Tone]): CellText => {
	const [name, tone] = nameOf(row);
	return [name, tone, note];
};

/**
 * The most important note about a trace, preceded by the other machine that holds it. A paused trace resumes
 * by itself.
 */
const noteOf = (
	{trace, note, pausedUntil}: TraceRow,
	{places, overlaps, traces, now, isTall}: Facts,
): readonly [string, Tone] => {
	const machine = machineOf(places, trace);
	const at = machine === '' ? [] : [`@${machine}`];
	if (pausedUntil !== undefined) return [[...at, `until ${untilTime(pausedUntil, now)}`].join(' '), 'accent'];
	if (note !== '') return [[...at, note].join(' '), 'bad'];
	const sharing = sharingNote(overlaps, traces, trace.traceId);
	// Short beside a title, which is more important.
	const shares = isTall ? `≈ same lines: ${sharing}` : `≈ ${sharing}`;
	return sharing === '' ? [at.join(''), 'dim'] : [[...at, shares].join(' '), 'accent'];
};

const stateOf = ({state, status}: TraceRow): readonly [string, Tone] => [
	state.replaceAll('_', ' '),
	stateMarks[status][1],
];

const honey = ({trace: {energyRemaining, energyBudget}}: TraceRow): string =>
	energyBudget === undefined ? '-' : `${energyRemaining}/${energyBudget}`;

const honeyTone = ({trace}: TraceRow): Tone =>
	trace.energyBudget !== undefined && exhausted(trace) !== undefined ? 'bad' : 'plain';

/** The mark of the trace's state, and a second one if it also waits for a person. */
const traceMark = ({status, isWaiting}: TraceRow): readonly [string, Tone] => {
	const [glyph, tone] = stateMarks[status];
	return isWaiting && status === 'running'
		? [`${glyph}${stateMarks.waiting_review[0]}`, 'accent']
		: [glyph, tone];
};
