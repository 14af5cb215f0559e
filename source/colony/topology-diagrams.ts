import {edgeLabel, type Topology, type TopologyEdge} from './topology.ts';

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

/** A Graphviz digraph. Names cannot contain quotes, so none are escaped. */
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
	// An invite whose bee only the event names points to the group of all bees.
	return {from: ids.get(from), to: ids.get(to) ?? 'bees'};
};

/**
 * Ids that are valid in every diagram language: `E_SIGNAL_task_ready`, `B_builder`. Equal ids get a number.
 */
const nodeIds = ({events, bees}: Topology): ReadonlyMap<string, string> => {
	const taken = new Set<string>();
	const named = (prefix: string, name: string): string => {
		const plain = `${prefix}_${name.replaceAll('*', 'star').replace(/\W/g, '_')}`;
		let id = plain;
		for (let number = 2; taken.has(id); number++) id = `${plain}_${number}`;
		taken.add(id);
		return id;
	};
	return new Map([
		...events.map(({id}) => [eventNode(id), named('E', id)] as const),
		...bees.map(({role}) => [beeNode(role), named('B', role)] as const),
	]);
};

/** Keys of the map above. */
const eventNode = (id: string): string => `event ${id}`;
const beeNode = (role: string): string => `bee ${role}`;
