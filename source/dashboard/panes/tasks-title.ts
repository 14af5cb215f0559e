import type {Trace} from '../../domain/trace.ts';
import {formatShortSpending} from '../../host/views/format-reserve.ts';
import {clip, widthOf} from '../parts/cells.ts';
import {shortId} from '../parts/format.ts';

/** Columns of a title that the border takes, beyond the inner width of the pane. */
export const frame = 4;

/** The parts after the trace's name. */
type TitleForm = {
	/** Columns of the bar; 0 without one. */
	readonly cells: number;
	readonly id: string;
	readonly label: string;
	readonly spending: string;
	readonly hasHoney: boolean;
};

type Title = {
	readonly trace: Trace;
	readonly hasId: boolean;
	/** As drawn. */
	readonly name: string;
	/** Columns for the name and the parts after it. */
	readonly room: number;
};

/** Min columns of a longer name. */
const minNameWidth = 12;

/** The fullest form that leaves room for the name. */
export const titleForm = ({trace, hasId, name, room}: Title): TitleForm & Pick<Title, 'name'> => {
	const free = room - Math.min(widthOf(name), minNameWidth);
	const form = formsOf(trace, hasId).find(one => widthOfForm(trace, one) <= free) ?? nothing;
	return {...form, name: clip(name, room - widthOfForm(trace, form))};
};

const nothing: TitleForm = {cells: 0, id: '', label: '', spending: '', hasHoney: false};

/**
 * All forms, the fullest first. Dropped in order: the bar, the id, the label of the count, tokens, money, and
 * last the honey, which the list of traces shows too.
 */
const formsOf = (trace: Trace, hasId: boolean): readonly TitleForm[] => {
	const short = formatShortSpending(trace);
	const spending = short === '' ? '' : ` · ${short}`;
	const [money = ''] = short.split(' · ');
	const id = hasId ? ` ${shortId(trace.traceId)}` : '';
	const full = {cells: 12, id, label: ' · honey ', spending, hasHoney: true};
	const bare = {...full, cells: 0, id: '', label: ' · '};
	return [
		full,
		{...full, cells: 6},
		{...full, cells: 0},
		{...full, cells: 0, id: ''},
		bare,
		...(money === '' ? [] : [{...bare, spending: ` · ${money}`}]),
		{...bare, spending: ''},
	];
};

const widthOfForm = (
	{energyRemaining, energyBudget}: Trace,
	{cells, id, label, spending, hasHoney}: TitleForm,
): number => {
	const count = energyBudget === undefined ? 'not set' : `${energyRemaining}/${energyBudget}`;
	const bar = cells === 0 || energyBudget === undefined ? 0 : '[] '.length + cells;
	return id.length + spending.length + (hasHoney ? label.length + bar + count.length : 0);
};
