import {windowAround} from '../parts/window.ts';
import type {List} from '../store/list.ts';
import type {ListId} from '../store/state.ts';
import {useSelector} from './use-selector.ts';

/**
 * A list for its pane: all rows, the rows of a window of `height`, the selected row, and its position as
 * text.
 */
export const useList = <Row>(name: ListId, list: List<Row>, height: number) => {
	const all = useSelector(list.rows);
	const position = useSelector(list.position);
	const filter = useSelector(state => state.filters[name] ?? '');
	const {start, end} = windowAround(position, all.length, Math.max(0, height));
	const place = all.length === 0 ? '0' : `${position + 1} of ${all.length}`;
	return {
		all,
		rows: all.slice(start, end),
		selected: all[position],
		filter,
		place: place + filterNote(filter),
	};
};

export const filterNote = (filter: string): string => (filter === '' ? '' : ` · /${filter}`);
