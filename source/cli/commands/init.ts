import {counted} from '../../domain/counted.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';

export const init = command({
	path: 'init',
	summary: 'Make this repository a colony.',
	description:
		'Writes .hive/ (configuration, bees, prompts, cues) and a folder of this machine under ~/.config/hive. Looks on PATH for agent tools and writes bees that use what it finds. Safe to repeat: what is there is kept, and the programs that git runs here (filters, hooks, merge drivers) are accepted as yours; hive leaves out those that come later.',
	flags: {
		agent: text({summary: 'Agent tool that the bees use, instead of the first one found.', hint: '<tool>'}),
	},
	examples: ['init', 'init --agent claude'],
	json: '{v, slug, created, kept, agentTools, agent, next}',
	run: async ({agent}, session) => {
		const made = await session.init({agent});
		if (!made.ok) return made;
		const {knownTools, ...report} = made.value;
		const {slug, created, kept, agentTools, agent: used, next} = report;
		const tools =
			agentTools.length === 0
				? `No agent tool found on PATH (${knownTools.join(', ')})`
				: `Agent tools on PATH: ${agentTools.join(', ')}`;
		return accepted({
			json: {...report, agent: used ?? ''},
			text: [
				{text: `Colony ${slug}`, style: 'strong'},
				created.length === 0
					? ' is here already; nothing was to be written.\n'
					: `: ${counted(created.length, 'file')} written, ${kept.length} kept.\n`,
				`${tools}${used === undefined ? '' : `; the bees use ${used}`}.\n`,
				noteOn(agent, used, agentTools),
				`Next: ${next}`,
			],
		});
	},
});

/** What a person who wanted another tool does now. */
const noteOn = (wanted: string | undefined, used: string | undefined, found: readonly string[]): string => {
	if (wanted !== undefined && used === undefined)
		return `Bees that are here stay as they are, whatever tool they use.\n${writtenAgain(wanted)}`;
	return wanted === undefined && used !== undefined && found.length === 0 ? writtenAgain('<tool>') : '';
};

const writtenAgain = (tool: string): string =>
	`To have them written for another tool, remove .hive/bees and .hive/colony.yaml, then: hive init --agent ${tool}\n`;
