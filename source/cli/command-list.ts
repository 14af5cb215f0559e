import type {Command} from './command.ts';
import type {LoadedGroup} from './describe.ts';
import {flagLabel, synopsis} from './usage.ts';

const start = '<!-- commands -->';
const end = '<!-- /commands -->';

/** Returns the page with its list of commands, between the markers, regenerated from the declarations. */
export const replaceCommandList = (page: string, groups: readonly LoadedGroup[]): string => {
	const [before, rest] = page.split(start);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) {
		throw new Error(`The page needs a line ${start} and, after it, a line ${end}.`);
	}
	return `${before}${start}\n\n${renderCommandList(groups)}\n\n${end}${after}`;
};

/** One table per group. */
export const renderCommandList = (groups: readonly LoadedGroup[]): string =>
	groups
		.map(({title, commands}) =>
			[
				`### ${title}`,
				'',
				'| Command | What it does | Flags |',
				'| --- | --- | --- |',
				...commands.map(row),
			].join('\n'),
		)
		.join('\n\n');

const row = (command: Command): string => {
	const flags = Object.entries(command.flags).map(([name, flag]) => `\`${flagLabel(name, flag)}\``);
	const cells = [`\`${synopsis(command)}\``, command.summary, flags.join('<br>')];
	return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
};
