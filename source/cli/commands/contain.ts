import {accepted} from '../../domain/errors.ts';
import type {ContainmentShown} from '../../host/containment.ts';
import {formatNetwork, profileGroups} from '../../host/views/containment.ts';
import {command} from '../command.ts';
import {repeatable, text} from '../flags.ts';
import type {Text} from '../text.ts';

const bee = text({summary: 'Role of the bee.', hint: '<bee>', required: true, complete: 'bees'});

export const containShow = command({
	path: 'contain show',
	summary: "Show what a bee's runs can reach when they are contained.",
	description:
		'Everything that is not listed can be read, and cannot be written to. TRACE and RUN stand for the ids of a run. Changes nothing.',
	flags: {},
	arguments: {bee},
	examples: ['contain show builder', 'contain show builder --json'],
	json: '{v, bee, mode, can, by?, why?, hint?, network, workspace, places: [{path, as, from, after, isFile}…]}',
	run: async ({bee: role}, commandContext) => {
		const shown = await commandContext.showContainment(role);
		if (!shown.ok) return shown;
		const {mode, can, profile} = shown.value;
		return accepted({json: {bee: role, mode, ...can, ...profile}, text: () => render(shown.value)});
	},
});

const render = ({bee: role, mode, can, profile, ...near}: ContainmentShown): Text => [
	{text: role, style: 'strong'},
	`  contain: ${mode}\n`,
	mode === 'off' ? 'Its runs are not contained. With "contain: auto" it would be as follows.\n' : '',
	can.can
		? `${can.by} contains programs on this machine.\n`
		: {
				text: `Programs cannot be contained on this machine: ${can.why}.\n${can.hint}\n`,
				style: mode === 'required' ? 'bad' : 'attention',
			},
	...profileGroups(profile, near).flatMap(({heading, paths}) => [
		{text: `\n${heading}\n`, style: 'strong'} as const,
		...paths.map(path => `  ${path}\n`),
	]),
	`\n${formatNetwork(profile)}`,
];

export const containTry = command({
	path: 'contain try',
	summary: "Run a command as contained as a bee's runs are.",
	description: `
		The command runs in a clean worktree with the files of the last commit and what "workspaces.copy" copies. "workspaces.setup" does not run. The worktree is removed afterwards. For a bee that works in the checkout it runs there, and what it changes stays.
		Exits with the exit code of the command. With --json its output is on standard error.
		A bee whose "contain" is off is tried as with "auto".`,
	flags: {},
	arguments: {
		bee,
		command: repeatable({summary: 'Program and its arguments, after --.', hint: '<command>', required: true}),
	},
	examples: ['contain try builder -- npm test', 'contain try builder -- sh -c "touch ~/x"'],
	json: '{v, bee, mode, exitCode}',
	run: async ({bee: role, command: argv}, commandContext) => {
		const {signal, json: quiet} = commandContext;
		const tried = await commandContext.tryContained(role, {argv, signal, quiet});
		if (!tried.ok) return tried;
		const {mode, exitCode} = tried.value;
		return accepted({json: {bee: role, mode, exitCode}, text: '', exit: exitCode});
	},
});
