import {useInput} from 'ink';
import {useState, useSyncExternalStore} from 'react';
import {createPressReader, type Press} from '../keys/press.ts';
import type {Look} from '../parts/look.ts';
import {SafeText} from '../parts/safe-text.tsx';
import type {Store} from '../store/store.ts';
import type {Header} from '../world.ts';
import {renderFrame} from './frame.ts';

export type AppProps = {
	readonly store: Store;
	readonly look: Look;
	readonly header: Header;
	readonly onPress: (press: Press) => void;
};

/** The only component with state: rows of the frame, and the one place that reads keys. */
export const App = ({store, look, header, onPress}: AppProps) => {
	const state = useSyncExternalStore(store.subscribe, store.getState);
	const [readPresses] = useState(createPressReader);
	useInput((input, key) => {
		for (const press of readPresses(input, key)) onPress(press);
	});
	return <SafeText rows={renderFrame(state, header)} look={look} />;
};
