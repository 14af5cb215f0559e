import {createContext, useContext} from 'react';
import {isList, type ListId, type PaneId} from '../store/state.ts';

export const PaneContext = createContext<PaneId | undefined>(undefined);

/** The list that the component is in; nothing in a text, or in no pane. */
export const useListId = (): ListId | undefined => {
	const pane = useContext(PaneContext);
	return pane !== undefined && isList(pane) ? pane : undefined;
};
