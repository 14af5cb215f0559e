import type {Press} from '../keys/press.ts';
import {resolveKey} from '../keys/resolve.ts';
import {layoutOf} from '../layout.ts';
import {focusPane, move, readToast, say} from '../store/changes.ts';
import type {PaneId, State} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';

/** The panes, while nothing is open over them: through the key table. */
export const pressPanes = (context: HandleContext, press: Press): void => {
	const {store} = context;
	if (press.kind === 'wheel' || press.kind === 'click') return point(context, press);
	if (press.kind !== 'key') return;
	store.dispatch(readToast);
	const resolved = resolveKey(press.name, store.getState());
	if (resolved?.kind === 'action') perform(resolved.action, context);
	if (resolved?.kind === 'blocked') store.dispatch(say(resolved.reason, 'info'));
};

/** The wheel moves in the pane under it, a click focuses it. */
const point = ({store}: HandleContext, press: Extract<Press, {kind: 'wheel' | 'click'}>): void => {
	const pane = paneAt(store.getState(), press.column, press.row);
	if (!pane) return;
	store.dispatch(focusPane(pane));
	if (press.kind === 'wheel') store.dispatch(move(press.rows));
};

const firstPaneRow = 2;

const paneAt = (state: State, column: number, row: number): PaneId | undefined => {
	let top = firstPaneRow;
	for (const band of layoutOf(state).bands) {
		const height = band[0]?.area.height ?? 0;
		let left = 0;
		for (const {pane, area} of band) {
			if (row >= top && row < top + height && column >= left && column < left + area.width) return pane;
			left += area.width;
		}
		top += height;
	}
	return undefined;
};
