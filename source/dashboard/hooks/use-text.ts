import type {TextId} from '../store/state.ts';
import {endRow, firstRow, type PlainTextId, textRows} from '../store/texts.ts';
import {useSelector} from './use-selector.ts';

/**
 * A scrolling text as its pane needs it: all its rows, where the window starts and ends, and what is
 * searched.
 */
export const useText = (text: PlainTextId) => {
	const all = useSelector(state => textRows(state, text));
	return {all, ...useWindow(text)};
};

/** The same without its rows. */
export const useWindow = (text: TextId) => {
	const start = useSelector(state => firstRow(state, text));
	const end = useSelector(state => endRow(state, text));
	const scroll = useSelector(state => state.scroll[text]);
	const search = useSelector(state => state.search);
	return {start, end, search, ...scroll};
};
