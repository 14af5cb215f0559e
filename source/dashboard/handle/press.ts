import {errorTable} from '../../domain/error-table.ts';
import type {Press} from '../keys/press.ts';
import {say} from '../store/notice-changes.ts';
import type {ModeKind, ModeOf} from '../store/state.ts';
import {perform} from './actions.ts';
import type {HandleContext} from './context.ts';
import {pressDetails} from './press-details.ts';
import {pressFilter} from './press-filter.ts';
import {pressForm} from './press-form.ts';
import {pressHelp} from './press-help.ts';
import {pressPalette} from './press-palette.ts';
import {pressPanes} from './press-panes.ts';
import {pressTalk} from './press-talk.ts';

/** The handler of a press, by the owner of the focus. */
type Owners = {
	readonly [Kind in ModeKind]: (context: HandleContext, press: Press, mode: ModeOf<Kind>) => void;
};

const owners: Owners = {
	browse: pressPanes,
	filter: pressFilter,
	form: pressForm,
	help: pressHelp,
	palette: pressPalette,
	details: pressDetails,
	talk: pressTalk,
};

/**
 * Passes every press to the owner of the focus. An error is shown and reported, and the dashboard goes on.
 */
export const handlePress = (context: HandleContext, press: Press): void => {
	try {
		pass(context, press);
	} catch (error) {
		const file = context.world.faults.report(error);
		const {message, hint} = errorTable.internal;
		context.store.dispatch(
			say(`${message} ${file === undefined ? hint : `${file} says where and when.`}`, 'bad'),
		);
	}
};

/** Ctrl+C always belongs to the dashboard. */
const pass = (context: HandleContext, press: Press): void => {
	if (press.kind === 'key' && press.name === 'ctrl+c') return perform('interrupt', context);
	const {mode} = context.store.getState();
	pressOwner(mode.kind, mode, context, press);
};

const pressOwner = <Kind extends ModeKind>(
	kind: Kind,
	mode: ModeOf<Kind>,
	context: HandleContext,
	press: Press,
): void => owners[kind](context, press, mode);
