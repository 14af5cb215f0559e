import type {TextId} from '../store/state.ts';
import {firstRow, textHeight, textRows} from '../store/texts.ts';
import {useSelector} from './use-selector.ts';

/** A scrolling text as its pane needs it: all its rows, where the window starts and ends, and what is searched. */
export const useText = (text: TextId) => {
	const all = useSelector(state => textRows(state, text));
	const start = useSelector(state => firstRow(state, text));
	const end = useSelector(state => firstRow(state, text) + textHeight(state, text));
	const scroll = useSelector(state => state.scroll[text]);
	const search = useSelector(state => state.search);
	return {all, start, end, search, ...scroll};
};
