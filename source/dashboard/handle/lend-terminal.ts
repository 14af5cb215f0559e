import {accepted} from '../../domain/errors.ts';
import {outcomeOf} from '../outcome-of.ts';
import {showToast} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';

/**
 * Lends the terminal to another program. If the program fails to start, its error is shown and the result is
 * undefined.
 */
export const lendTerminal = async <Value>(
	{store, world: services, suspendUi: released}: HandleContext,
	program: () => Promise<Value>,
): Promise<Value | undefined> => {
	const outcome = await outcomeOf(services, async () => accepted(await released(program)));
	if (outcome.ok) return outcome.value;
	store.dispatch(showToast(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'));
	return undefined;
};
