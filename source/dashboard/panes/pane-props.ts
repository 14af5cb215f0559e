import type {Area} from '../store/layout.ts';

/** Props of every pane. It selects the rest from the store. */
export type PaneProps = {readonly area: Area; readonly isFocused: boolean};
