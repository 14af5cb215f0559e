import type {Colony} from '../colony/colony.ts';
import {type Topology, topologyOf} from '../colony/topology.ts';
import {renderDot, renderMermaid} from '../colony/topology-diagrams.ts';
import {renderTopology} from '../colony/topology-text.ts';

export const topologyFormats = ['text', 'mermaid', 'dot', 'json'] as const;

const render: Readonly<Record<(typeof topologyFormats)[number], (graph: Topology) => string>> = {
	text: renderTopology,
	mermaid: renderMermaid,
	dot: renderDot,
	json: graph => JSON.stringify(documentOf(graph), undefined, 2),
};

const documentOf = (graph: Topology) => ({...graph, mermaid: renderMermaid(graph)});

/** Returns which events start which bees, and what these publish: as data, and as text in a format. */
export const drawTopology = (colony: Colony, format: (typeof topologyFormats)[number]) => {
	const graph = topologyOf(colony);
	return {document: documentOf(graph), rendered: render[format](graph)};
};
