import type {TextId} from '../store/state.ts';
import {endRow, firstRow, type PlainTextId, textRows} from '../store/texts.ts';
import {useSelector} from './use-selector.ts';

/** A scrolling text for its pane: all rows, the window's start and end, and the search. */
export const useText = (text: PlainTextId) => {
	const all = useSelector(state => textRows(state, text));
	return {all, ...useWindow(text)};
};

/** The same without the rows. */
export const useWindow = (text: TextId) => {
	const start = useSelector(state => firstRow(state, text));
	const end = useSelector(state => endRow(state, text));
	const scroll = useSelector(state => state.scroll[text]);
	const search = useSelector(state => state.search);
	return {start, end, search, ...scroll};
};
