import type {Area} from '../store/layout.ts';

/** What every pane is given; the rest it selects from the store. */
export type PaneProps = {readonly area: Area; readonly isFocused: boolean};
