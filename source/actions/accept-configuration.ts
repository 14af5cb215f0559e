import {acceptHint} from '../colony/configuration/writers.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';

type AcceptContext = Pick<ActionContext, 'clock' | 'insideRun'> & {
	/** The files count as they are. */
	readonly accept: () => Promise<void>;
	/** What the live reactor says is wrong with its configuration; nothing when none is alive. */
	readonly reactorProblems: () => Promise<readonly Detail[] | undefined>;
};

/** How often the reactor is asked whether it has taken the files, and how often at most. */
const askMilliseconds = 50;
const asks = 100;

/**
 * A person has looked at the configuration's files: they count as they are, those that awaited it too. Done when
 * the live reactor has taken them, at once without one. Refused inside a run (`not_for_agents`).
 */
export const acceptConfiguration = async (context: AcceptContext): Promise<Outcome<void>> => {
	const refused = refuseInsideRun(context);
	if (refused) return refused;
	await context.accept();
	for (let asked = 0; asked < asks; asked++) {
		const problems = (await context.reactorProblems()) ?? [];
		if (!problems.some(({hint}) => hint === acceptHint)) return accepted(undefined);
		await new Promise<void>(resolve => void context.clock.after(askMilliseconds, resolve));
	}
	return refuse('conflict', {
		message: 'The reactor has not taken the changes.',
		hint: 'They may have changed again: look at them, then run "hive doctor --accept" again.',
	});
};
