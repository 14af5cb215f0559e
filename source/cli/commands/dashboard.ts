import {accepted, HiveError, refuse} from '../../domain/errors.ts';
import {type Command, type CommandGroup, command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {commandOffers} from '../command-offers.ts';
import {boolean, choice} from '../flags.ts';

export const dashboardFor = (commandGroups: readonly CommandGroup[]): Command =>
	command({
		path: 'dashboard',
		summary: 'Open the full-screen dashboard; "hive" alone does the same.',
		description:
			'Shows every trace live, and acts on it: one key approves, rejects, retries, kills or tops up. Starts a reactor for this checkout unless one is alive. Press ? for the keys.',
		flags: {
			console: boolean({
				summary:
					'Also serve the console, as "hive console" does, until the dashboard ends; the Colony tab shows its link.',
			}),
			screenReader: boolean({
				summary:
					'Print changes as sentences, one per line, instead of a screen; also INK_SCREEN_READER=true, and TERM=dumb.',
			}),
			theme: choice({
				summary: 'Colours for a terminal of that kind; also HIVE_THEME. Default: dark.',
				choices: ['dark', 'light', 'no-color', 'high-contrast'],
			}),
		},
		run: async ({console: wantsConsole, screenReader, theme}, commandContext) => {
			if (!commandContext.stdout.isTTY || commandContext.json) return refuse('not_a_terminal');
			if (!(await ensureColony(commandContext)))
				return accepted({json: {}, text: 'Nothing was changed. Make a colony with: hive init'});
			const {color, signal} = commandContext;
			const wantsScreenReader =
				screenReader || commandContext.env.INK_SCREEN_READER === 'true' || commandContext.env.TERM === 'dumb';
			const ended = await commandContext.showDashboard(commandContext, {
				...{color, signal, screenReader: wantsScreenReader, console: wantsConsole},
				...(theme && {theme}),
				commands: () => commandOffers(commandGroups),
			});
			return ended.ok ? accepted({json: {}, text: '', exit: ended.value}) : ended;
		},
	});

/** Offers to make a colony if there is none. False if the person declines. */
const ensureColony = async (commandContext: CommandContext): Promise<boolean> => {
	try {
		await commandContext.open();
		return true;
	} catch (error) {
		if (!(error instanceof HiveError) || error.refusal.code !== 'no_colony') throw error;
	}
	if (!(await commandContext.offerInit(commandContext.cwd))) return false;
	const made = await commandContext.init({});
	if (!made.ok) throw new HiveError(made.refusal.code, made.refusal);
	return true;
};
