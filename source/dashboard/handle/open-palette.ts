import {commandsReceived} from '../store/feed-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import type {Handler} from './context.ts';

/** The commands of the command line are loaded on first use. */
export const openPalette: Handler = ({store, world: services}) => {
	store.dispatch(setMode({kind: 'palette', text: '', selected: 0}));
	if (store.getState().commands.length === 0)
		void services.commands().then(commands => store.dispatch(commandsReceived(commands)));
};
