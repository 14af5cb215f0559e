import {createContext, useContext} from 'react';
import {isList, type ListId, type PaneId} from '../store/state.ts';

export const PaneContext = createContext<PaneId | undefined>(undefined);

/** The list that contains the component. Undefined in a text, or outside of panes. */
export const useListId = (): ListId | undefined => {
	const pane = useContext(PaneContext);
	return pane !== undefined && isList(pane) ? pane : undefined;
};
