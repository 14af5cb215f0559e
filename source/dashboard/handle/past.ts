import {outcomeOf} from '../outcome-of.ts';
import {showToast} from '../store/notice-changes.ts';
import {openPast, stepPast} from '../store/past-changes.ts';
import {subjectOf} from '../store/selectors.ts';
import type {HandleContext} from './context.ts';

/** Shows the trace one event earlier. The first time, its history is loaded. */
export const earlier = async ({store, world: services}: HandleContext): Promise<void> => {
	const state = store.getState();
	if (state.past !== undefined) return store.dispatch(stepPast(-1));
	const {trace} = subjectOf(state);
	if (trace === undefined) return;
	const outcome = await outcomeOf(services, () => services.history(trace.traceId));
	store.dispatch(
		outcome.ok ? openPast(trace.traceId, outcome.value) : showToast(outcome.refusal.message, 'bad'),
	);
};
