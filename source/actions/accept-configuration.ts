import {nameOf} from '../colony/configuration/read.ts';
import {awaitsAcceptance} from '../domain/awaiting-configuration.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';

type AcceptContext = Pick<ActionContext, 'clock' | 'colony' | 'insideRun' | 'configuration'>;

/** Poll interval for whether the reactor has taken the files, and maximum number of polls. */
const pollMs = 50;
const maxPolls = 100;

/** Root-relative paths of the files that are in force from now on. */
export type ConfigurationAccepted = {readonly accepted: readonly string[]};

/**
 * Accepts the configuration changes that a person has looked at. With a live reactor, resolves when it has
 * taken them; otherwise at once. Refused inside a run (`not_for_agents`), and when something changed since
 * the person looked (`stale_view`).
 *
 * @param seen digest (`digestOf`) of the changes that the person was shown
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
	for (let polls = 0; polls < maxPolls; polls++) {
		const problems = (await configuration?.reactorProblems()) ?? [];
		if (!problems.some(awaitsAcceptance))
			return accepted({accepted: changes.map(({path}) => nameOf(root, path))});
		await new Promise<void>(resolve => void clock.after(pollMs, resolve));
	}
	return refuse('conflict', {
		message: 'The reactor has not applied the changes yet.',
		hint: 'The files may have changed again: check them with "hive doctor --accept".',
	});
};
