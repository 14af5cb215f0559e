import type {ActionContext} from '../../actions/context.ts';
import type {Colony} from '../../colony/colony.ts';
import {awaitsAcceptance} from '../../domain/awaiting-configuration.ts';
import {errorMessage} from '../../domain/error-message.ts';
import {type Detail, refusalOf} from '../../domain/errors.ts';
import type {Host} from '../host.ts';
import {refuseChat} from '../sessions/sessions.ts';
import {beeViews, cueViews} from '../views/colony.ts';
import type {ColonyFacts, LiveColony} from './live.ts';
import {createToolWatch} from './tool-advice.ts';

/** The configuration as it is now. */
export type LiveConfiguration = Pick<LiveColony, 'cues' | 'facts' | 'reloaded'> & {
	/**
	 * Problems of the files and, once these are followed, everything that `hive doctor` reports as an error.
	 */
	readonly problems: () => readonly Detail[];
	/** Calls whenever a feed of `reloaded` does. */
	readonly onReload: (call: () => void) => void;
};

export const createLiveConfiguration = (host: Host, context: ActionContext): LiveConfiguration => {
	let errorsIn: (colony: Colony) => readonly Detail[] = ({problems}) => problems;
	let terminal: Terminal = {problems: []};
	let toolAdvice: readonly string[] = [];
	const reloads = new Set<() => void>();
	const problems = () => [...errorsIn(context.colony), ...terminal.problems];

	const reloaded: LiveColony['reloaded'] = (signal, call) => {
		const changed = (): void => {
			call();
			for (const reload of reloads) reload();
		};
		const tools = createToolWatch(context, signal, advice => {
			toolAdvice = advice;
			changed();
		});
		void tools.checkTools();
		host
			.followConfiguration({
				signal,
				changed: () => {
					changed();
					void tools.checkTools();
				},
			})
			.then(async () => {
				const rules = await import('../../colony/rules.ts');
				errorsIn = colony => rules.errorsIn(colony).map(({fix, ...problem}) => ({...problem, hint: fix}));
			})
			// It broke after it was opened. The earlier content stays shown, and `hive doctor` reports it.
			.catch(() => {})
			.then(async () => {
				terminal = await readTerminal(host);
				if (!signal.aborted && problems().length > 0) changed();
			});
	};

	return {
		cues: () => cueViews(context.colony),
		facts: () => ({...factsOf(context.colony, problems()), toolAdvice, detachKey: terminal.detachKey}),
		reloaded,
		problems,
		onReload: call => {
			reloads.add(call);
		},
	};
};

/** The settings of `terminal.yaml` that are in force, and its problems. */
type Terminal = Pick<ColonyFacts, 'detachKey'> & {readonly problems: readonly Detail[]};

const readTerminal = async (host: Host): Promise<Terminal> => {
	try {
		const {detachKey} = await host.terminal();
		return {detachKey, problems: []};
	} catch (error) {
		const details = refusalOf(error)?.details ?? [];
		const message = errorMessage(error);
		return {problems: details.length > 0 ? details : [{path: 'terminal.yaml', message}]};
	}
};

const factsOf = (colony: Colony, problems: readonly Detail[]): Omit<ColonyFacts, 'toolAdvice'> => ({
	bees: beeViews(colony).map(({role, adapter, worktree}) => ({
		name: role,
		note: `${adapter}${worktree ? ', in the trace worktree' : ''}`,
		talks: refuseChat(colony, role) === undefined,
	})),
	problems: problems.map(problemText),
	awaiting: problems.filter(awaitsAcceptance).map(problemText),
});

const problemText = ({path, message}: Detail): string => `${path}: ${message}`;
