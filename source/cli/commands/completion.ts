import {accepted, refuse} from '../../domain/errors.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {completionDevices, completionValues, liveLists} from '../../host/completion-values.ts';
import {type Command, type CommandGroup, command} from '../command.ts';
import {renderBash, renderFish, renderZsh} from '../complete.ts';
import {loadGroups} from '../describe.ts';
import {choice, text} from '../flags.ts';

const render = {bash: renderBash, zsh: renderZsh, fish: renderFish};

/** @param all every command */
export const completionFor = (all: readonly CommandGroup[]): Command =>
	command({
		path: 'completion',
		summary: 'Print a completion script for your shell.',
		description: `
		bash: add  source <(hive completion bash)  to ~/.bashrc.
		zsh: write it to a file named _hive in a folder of $fpath.
		fish: write it to ~/.config/fish/completions/hive.fish.
		The scripts offer the ids of the colony you are in; they ask for them with --list.`,
		flags: {
			list: choice({
				summary: 'Print the completions of this moment instead: one word and its meaning per line.',
				choices: liveLists,
			}),
			trace: text({
				summary: 'With --list: only what belongs to this trace.',
				hint: '<id>',
				complete: 'traces',
			}),
		},
		arguments: {shell: choice({summary: 'The shell to complete in.', choices: ['bash', 'zsh', 'fish']})},
		json: '{v, shell, script} or {v, list, offers: [{word, means}]}',
		examples: ['completion bash', 'completion --list traces'],
		run: async ({shell, list, trace}, commandContext) => {
			if (list !== undefined) {
				const offers =
					list === 'devices'
						? await completionDevices(async () =>
								(await commandContext.loadConsole()).devices(commandContext),
							)
						: await completionValues(commandContext, list, trace);
				const lines = offers.map(({word, means}) => `${word} ${sanitizeLine(means)}`.trimEnd());
				return accepted({json: {list, offers}, text: lines.join('\n')});
			}
			if (shell === undefined)
				return refuse('usage', {message: 'Name your shell.', hint: 'One of bash, zsh, fish.'});
			const groups = await loadGroups(all);
			const script = render[shell](groups.flatMap(({commands}) => commands));
			return accepted({json: {shell, script}, text: script});
		},
	});
