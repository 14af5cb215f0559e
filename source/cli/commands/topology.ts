import path from 'node:path';
import {type Topology, topologyOf} from '../../colony/topology.ts';
import {renderDot, renderMermaid} from '../../colony/topology-diagrams.ts';
import {renderTopology} from '../../colony/topology-text.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {choice, text} from '../flags.ts';

const formats = ['text', 'mermaid', 'dot', 'json'] as const;

export const topology = command({
	path: 'colony topology',
	summary: 'Show which events start which bees, and what they publish.',
	description: 'Made of the bee files alone: the same colony gives the same text, byte for byte.',
	flags: {
		format: choice({summary: 'How it is written; text unless named.', choices: formats}),
		out: text({summary: 'Write it to this file.', hint: '<file>', complete: 'files'}),
	},
	examples: ['colony topology', 'colony topology --format mermaid --out topology.mmd'],
	json: '{v, bees: [{role, adapter, intents, defaultIntent}], events: [{type, kind, id}], edges: [{kind, from, to, dispatch, implicit}], mermaid}',
	run: async ({format = 'text', out}, session) => {
		const {colony, files} = await session.configuration();
		const graph = topologyOf(colony);
		const document = {...graph, mermaid: renderMermaid(graph)};
		const rendered = render[format](graph);
		if (out === undefined) return accepted({json: document, text: rendered});
		const file = path.resolve(session.cwd, out);
		await files.write(file, `${rendered}\n`);
		return accepted({json: {...document, file}, text: `Written to ${file}.`});
	},
});

const render: Readonly<Record<(typeof formats)[number], (graph: Topology) => string>> = {
	text: renderTopology,
	mermaid: renderMermaid,
	dot: renderDot,
	json: graph => JSON.stringify({...graph, mermaid: renderMermaid(graph)}, undefined, 2),
};
