import {exitCodes} from '../../domain/error-table.ts';
import {quitForm} from '../forms/make.ts';
import {say} from '../store/notice-changes.ts';
import {liveBees} from '../store/selectors.ts';
import type {Handler} from './context.ts';
import {openForm} from './open-form.ts';

/** A second Ctrl+C within this many milliseconds ends the dashboard at once. */
const interruptTime = 3000;

export const quit: Handler = context => {
	const state = context.store.getState();
	if (state.underWay.length > 0)
		return context.store.dispatch(say('Quit when that is over; Ctrl+C twice leaves it as it is.', 'info'));
	const bees = liveBees(state);
	if (state.status.reactor === 'here' && bees > 0) openForm(context, quitForm(context.world.now(), bees));
	else context.finish({exitCode: exitCodes.done, bees: 'leave'});
};

export const interrupt: Handler = context => {
	const {store, world, finish} = context;
	const now = world.now();
	if (now - store.getState().interruptedAt <= interruptTime)
		return finish({exitCode: exitCodes.interrupted, bees: 'leave'});
	store.dispatch(state => ({...state, interruptedAt: now}));
	quit(context);
};
