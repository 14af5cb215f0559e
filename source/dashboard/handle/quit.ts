import {exitCodes} from '../../domain/error-table.ts';
import {quitForm} from '../forms/make.ts';
import {showToast} from '../store/notice-changes.ts';
import {liveBees, liveRuns} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm} from './open-form.ts';

/** A second Ctrl+C within this many milliseconds ends the dashboard at once. */
const interruptWindowMs = 3000;

export const quit: Handler = context => {
	const state = context.store.getState();
	if (state.runningActions.length > 0)
		return context.store.dispatch(
			showToast('An action is under way: quit when it is done. Ctrl+C twice quits at once.', 'info'),
		);
	if (state.status.reactor === 'here' && liveRuns(state) > 0)
		openForm(context, quitForm(context.world.now(), liveBees(state)));
	else context.finish({exitCode: exitCodes.done, bees: 'leave'});
};

export const interrupt: Handler = context => {
	const {store, world: services, finish} = context;
	const now = services.now();
	if (now - store.getState().interruptedAt <= interruptWindowMs)
		return finish({exitCode: exitCodes.interrupted, bees: 'leave'});
	store.dispatch(state => ({...state, interruptedAt: now}));
	quit(context);
};
