import path from 'node:path';
import {accepted} from '../../domain/errors.ts';
import {drawTopology, topologyFormats} from '../../host/topology.ts';
import {command} from '../command.ts';
import {choice, text} from '../flags.ts';

export const topology = command({
	path: 'colony topology',
	summary: 'Show which events start which bees, and what they publish.',
	description: 'Made only from the bee files: the same colony gives the same text, byte for byte.',
	flags: {
		format: choice({summary: 'Output format; default: text.', choices: topologyFormats}),
		out: text({summary: 'Write it to this file.', hint: '<file>', complete: 'files'}),
	},
	examples: ['colony topology', 'colony topology --format mermaid --out topology.mmd'],
	json: '{v, bees: [{role, adapter, intents, defaultIntent}], events: [{type, kind, id}], edges: [{kind, from, to, dispatch, implicit}], mermaid}',
	run: async ({format = 'text', out}, commandContext) => {
		const {colony, files} = await commandContext.configuration();
		const {document, rendered} = drawTopology(colony, format);
		if (out === undefined) return accepted({json: document, text: rendered});
		const file = path.resolve(commandContext.cwd, out);
		await files.write(file, `${rendered}\n`);
		return accepted({json: {...document, file}, text: `Written to ${file}.`});
	},
});
