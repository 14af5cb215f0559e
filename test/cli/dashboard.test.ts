import {describe, expect, it} from 'vitest';
import type {ShowDashboard} from '../../source/cli/command-context.ts';
import {dashboardFor} from '../../source/cli/commands/dashboard.ts';
import {helpFor} from '../../source/cli/commands/help.ts';
import {commandGroups} from '../../source/cli/commands.ts';
import {runCommandLine} from '../../source/cli/invoke.ts';
import {pathsOf} from '../../source/cli/route.ts';
import {commandSynonyms, shortForms} from '../../source/cli/short-forms.ts';
import {themeNames} from '../../source/dashboard/parts/theme.ts';
import {accepted, HiveError} from '../../source/domain/errors.ts';
import {sessionWith} from './session-with.ts';

/** Returns the display options of the dashboard for this command line and environment. */
const lookOf = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
	const looks: Parameters<ShowDashboard>[1][] = [];
	const session = sessionWith({
		env,
		stdout: {isTTY: true, columns: 80, color: false},
		open: async () => ({}) as never,
		showDashboard: async (_, look) => {
			looks.push(look);
			return accepted(0);
		},
	});
	const outcome = await runCommandLine(
		argv,
		commandGroups,
		() => session,
		async () => 0,
	);
	expect(outcome).toEqual({ok: true, value: 0});
	return looks[0];
};

describe('the dashboard command', () => {
	it('draws by default, and writes sentences for screen readers and dumb terminals', async () => {
		expect(await lookOf([], {TERM: 'xterm-256color'})).toMatchObject({screenReader: false});
		expect(await lookOf([], {TERM: 'dumb'})).toMatchObject({screenReader: true});
		expect(await lookOf(['--screen-reader'])).toMatchObject({screenReader: true});
		expect(await lookOf([], {INK_SCREEN_READER: 'true'})).toMatchObject({screenReader: true});
	});

	it('accepts every theme by its name', async () => {
		expect(dashboardFor([]).flags.theme?.choices).toEqual(themeNames);
		expect(await lookOf(['--theme', 'light'])).toMatchObject({theme: 'light'});
		expect(await lookOf([])).not.toHaveProperty('theme');
	});
});

describe('a short form of a command', () => {
	const paths = pathsOf(commandGroups);

	it('stands for an existing command, and is not a command itself', () => {
		for (const [word, full] of Object.entries({...shortForms, ...commandSynonyms})) {
			expect(paths).toContain(full);
			expect(paths).not.toContain(word);
		}
	});

	it.each(Object.entries(shortForms))('%s is refused under its full name', async (word, full) => {
		const session = sessionWith({});
		const outcome = await runCommandLine(
			[word, '--nonsense'],
			commandGroups,
			() => session,
			async () => 0,
		);
		expect(outcome).toMatchObject({
			refusal: {
				message: `"hive ${full}" cannot be run as given.`,
				hint: `See "hive help ${full}".`,
			},
		});
	});

	it('has the help of its command', async () => {
		const prepared = helpFor(commandGroups).prepare({flags: {}, words: ['approve'], problems: []});
		if (!prepared.ok) throw new HiveError('internal', prepared.refusal);
		expect(await prepared.value.run(sessionWith({}))).toMatchObject({
			value: {json: {command: {path: 'proposal approve'}}},
		});
	});
});
