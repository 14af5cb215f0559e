import {nameOf} from '../colony/configuration/read.ts';
import {awaitsAcceptance} from '../domain/awaiting-configuration.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';

type AcceptContext = Pick<ActionContext, 'clock' | 'colony' | 'insideRun' | 'configuration'>;

/** How often the reactor is asked whether it has taken the files, and how often at most. */
const askMilliseconds = 50;
const asks = 100;

/** Root-relative paths of what is in force from now on. */
export type ConfigurationAccepted = {readonly accepted: readonly string[]};

/**
 * A person has looked at what awaits them of the configuration: it counts. Done when the live reactor has
 * taken it, at once without one. Refused inside a run (`not_for_agents`), and where anything was changed
 * since they looked (`stale_view`).
 *
 * @param seen what they were shown, as `digestOf` names it
 */
export const acceptConfiguration = async (
	{clock, configuration, colony: {root}, ...context}: AcceptContext,
	{seen}: {readonly seen: string},
): Promise<Outcome<ConfigurationAccepted>> => {
	const refused = refuseInsideRun(context);
	if (refused) return refused;
	const changes = (await configuration?.changes()) ?? [];
	if ((await configuration?.accept(seen)) === false)
		return refuse('stale_view', {
			message: 'The configuration was changed again since you looked; nothing was accepted.',
		});
	for (let asked = 0; asked < asks; asked++) {
		const problems = (await configuration?.reactorProblems()) ?? [];
		if (!problems.some(awaitsAcceptance))
			return accepted({accepted: changes.map(({path}) => nameOf(root, path))});
		await new Promise<void>(resolve => void clock.after(askMilliseconds, resolve));
	}
	return refuse('conflict', {
		message: 'The reactor has not taken the changes.',
		hint: 'They may have changed again: look at them with "hive doctor --accept".',
	});
};
