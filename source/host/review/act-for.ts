import {createHash} from 'node:crypto';
import type {ActionContext} from '../../actions/context.ts';
import {createIdSource} from '../../domain/ids.ts';

/** A person's decision, as it is recorded before it is carried out. */
type Decision = {
	/** Identifies the decision: the button and its card. */
	readonly seed: string;
	/** Milliseconds since 1970; unique among the decisions of a channel. */
	readonly at: number;
};

/**
 * Returns the context for a face that may crash between an action and its own record of it. All ids are
 * derived from the decision, so repeating the decision is idempotent: the same events, once.
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
