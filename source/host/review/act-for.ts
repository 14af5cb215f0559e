import {createHash} from 'node:crypto';
import type {ActionContext} from '../../actions/context.ts';
import {createIdSource} from '../../domain/ids.ts';

/** What a person decided, as it is kept before it is done. */
type Decision = {
	/** Names it: what was pressed, on which card. */
	readonly seed: string;
	/** When, in UTC milliseconds; no two decisions of a channel have the same. */
	readonly at: number;
};

/**
 * The context in which a face acts that may be cut off between an action and what it notes of it. Every id is
 * made of the decision, so the same decision done again says the same events, once.
 */
export const actFor = (
	context: ActionContext,
	by: ActionContext['by'],
	{seed, at}: Decision,
): ActionContext => {
	let made = 0;
	const hex = (digits: number): string =>
		createHash('sha256').update(`${seed}\n${made++}`).digest('hex').slice(0, digits);
	return {
		...context,
		get colony() {
			return context.colony;
		},
		by,
		ids: createIdSource(() => at, hex),
	};
};
