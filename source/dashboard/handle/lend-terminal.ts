import {accepted} from '../../domain/errors.ts';
import {outcomeOf} from '../outcome-of.ts';
import {say} from '../store/notice-changes.ts';
import type {HandleContext} from './context.ts';

/**
 * Gives the terminal to a program of the person's. One that cannot be opened is said, and answers nothing.
 */
export const lendTerminal = async <Value>(
	{store, world, released}: HandleContext,
	program: () => Promise<Value>,
): Promise<Value | undefined> => {
	const outcome = await outcomeOf(world, async () => accepted(await released(program)));
	if (outcome.ok) return outcome.value;
	store.dispatch(say(`${outcome.refusal.message} ${outcome.refusal.hint}`, 'bad'));
	return undefined;
};
