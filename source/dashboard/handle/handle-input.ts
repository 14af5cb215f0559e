import {errorTable} from '../../domain/error-table.ts';
import type {InputEvent} from '../keys/input-event.ts';
import {showToast} from '../store/notice-changes.ts';
import type {ModeKind, ModeOf} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';
import {handleDetailsInput} from './handle-details-input.ts';
import {handleFilterInput} from './handle-filter-input.ts';
import {handleFormInput} from './handle-form-input.ts';
import {handleHelpInput} from './handle-help-input.ts';
import {handlePaletteInput} from './handle-palette-input.ts';
import {handlePanesInput} from './handle-panes-input.ts';
import {handlePassthroughInput} from './handle-passthrough-input.ts';

/** The handler of a press, by the owner of the focus. */
type InputHandlers = {
	readonly [Kind in ModeKind]: (context: HandleContext, event: InputEvent, mode: ModeOf<Kind>) => void;
};

const inputHandlers: InputHandlers = {
	browse: handlePanesInput,
	filter: handleFilterInput,
	form: handleFormInput,
	help: handleHelpInput,
	palette: handlePaletteInput,
	details: handleDetailsInput,
	talk: handlePassthroughInput,
};

/**
 * Passes every press to the owner of the focus. An error is shown and reported, and the dashboard goes on.
 */
export const handleInput = (context: HandleContext, event: InputEvent): void => {
	try {
		routeInput(context, event);
	} catch (error) {
		const file = context.world.faults.report(error);
		const {message, hint} = errorTable.internal;
		context.store.dispatch(
			showToast(`${message} ${file === undefined ? hint : `${file} has the details.`}`, 'bad'),
		);
	}
};

/** Ctrl+C always belongs to the dashboard. */
const routeInput = (context: HandleContext, event: InputEvent): void => {
	if (event.kind === 'key' && event.name === 'ctrl+c') return perform('interrupt', context);
	const {mode} = context.store.getState();
	dispatchToOwner(mode.kind, mode, context, event);
};

const dispatchToOwner = <Kind extends ModeKind>(
	kind: Kind,
	mode: ModeOf<Kind>,
	context: HandleContext,
	event: InputEvent,
): void => inputHandlers[kind](context, event, mode);
