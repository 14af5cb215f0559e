import type {Trace} from '../../domain/trace.ts';
import {shortSpending} from '../../host/views/reserve.ts';
import {clip, widthOf} from '../parts/cells.ts';
import {shortId} from '../parts/words.ts';

/** Columns that the border takes of a title, of a pane that is that much wider than its inside. */
export const frame = 4;

/** What stands behind the name of the trace. */
type TitleForm = {
	/** Of the bar; none without. */
	readonly cells: number;
	readonly id: string;
	readonly label: string;
	readonly spending: string;
	readonly hasHoney: boolean;
};

type Title = {
	readonly trace: Trace;
	readonly hasId: boolean;
	/** As it is drawn. */
	readonly name: string;
	/** Columns for the name and what stands behind it. */
	readonly room: number;
};

/** Columns that a longer name keeps. */
const leastName = 12;

/** The fullest form that leaves the name some room. */
export const titleForm = ({trace, hasId, name, room}: Title): TitleForm & Pick<Title, 'name'> => {
	const free = room - Math.min(widthOf(name), leastName);
	const form = formsOf(trace, hasId).find(one => widthOfForm(trace, one) <= free) ?? nothing;
	return {...form, name: clip(name, room - widthOfForm(trace, form))};
};

const nothing: TitleForm = {cells: 0, id: '', label: '', spending: '', hasHoney: false};

/**
 * From the fullest on: the bar goes first, then the id, the word beside the count, tokens, money and at last
 * the honey, which the list of traces has.
 */
const formsOf = (trace: Trace, hasId: boolean): readonly TitleForm[] => {
	const short = shortSpending(trace);
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
