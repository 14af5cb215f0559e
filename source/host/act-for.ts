import {createHash} from 'node:crypto';
import type {ActionContext} from '../actions/context.ts';

/**
 * The context in which a face acts that may be cut off between an action and what it notes of it: every id comes from the seed, so
 * that the same action done again with the same seed says what it said before, once.
 *
 * @param seed names the decision: what was pressed, on which card
 */
export const actFor = (context: ActionContext, by: ActionContext['by'], seed: string): ActionContext => {
	let made = 0;
	const hex = (digits: number): string =>
		createHash('sha256').update(`${seed}\n${made++}`).digest('hex').slice(0, digits);
	return {
		...context,
		get colony() {
			return context.colony;
		},
		by,
		ids: {
			trace: () => `trace-${hex(16)}`,
			task: () => `task-${hex(16)}`,
			invite: () => `inv-${hex(16)}`,
			agent: () => hex(16),
			event: () => hex(28),
		},
	};
};
