import {edgeLabel, type Topology, type TopologyEdge} from './topology.ts';
import {beeNode, eventNode, nodeIds} from './topology-nodes.ts';

/** A `flowchart LR` with a subgraph of events and one of bees (docs/rules.md §9). */
export const renderMermaid = (topology: Topology): string => {
	const {events, bees, edges} = topology;
	const ids = nodeIds(topology);
	return [
		'flowchart LR',
		'  subgraph events',
		...events.map(({id}) => `    ${ids.get(eventNode(id))}["${id}"]`),
		'  end',
		'  subgraph bees',
		...bees.map(({role, adapter}) => `    ${ids.get(beeNode(role))}(["${role} (${adapter})"])`),
		'  end',
		...edges.map(edge => {
			const {from, to} = endsOf(edge, ids);
			return `  ${from} -->|${edgeLabel(edge)}| ${to}`;
		}),
	].join('\n');
};

/** A Graphviz digraph; names cannot hold quotes. */
export const renderDot = (topology: Topology): string => {
	const {events, bees, edges} = topology;
	const ids = nodeIds(topology);
	return [
		'digraph colony {',
		'  rankdir=LR;',
		'  node [fontname="sans-serif"];',
		...events.map(({id}) => `  ${ids.get(eventNode(id))} [label="${id}", shape=box];`),
		...bees.map(
			({role, adapter}) => `  ${ids.get(beeNode(role))} [label="${role}\\n${adapter}", shape=ellipse];`,
		),
		...edges.map(edge => {
			const {from, to} = endsOf(edge, ids);
			return `  ${from} -> ${to} [label="${edgeLabel(edge)}"];`;
		}),
		'}',
	].join('\n');
};

const endsOf = (edge: TopologyEdge, ids: ReadonlyMap<string, string>) => {
	const [from, to] =
		edge.kind === 'publish'
			? [beeNode(edge.from), eventNode(edge.to)]
			: [eventNode(edge.from), beeNode(edge.to)];
	// An invite to a bee that only the event names points at all of them.
	return {from: ids.get(from), to: ids.get(to) ?? 'bees'};
};
