import {statusWords} from '../../domain/status-words.ts';
import {truncate} from '../../domain/truncate.ts';
import {linkTo} from './route.ts';
import {safe} from './safe.tsx';

/** A node of a graph, with its predecessors. */
export type Node = {
	readonly id: string;
	readonly label: string;
	/** The word in its second line, which also determines its colour. */
	readonly state: string;
	readonly after: readonly string[];
	readonly href?: string;
};

const width = 190;
const height = 46;
const gapX = 56;
const gapY = 14;

type PositionedNode = Node & {readonly x: number; readonly y: number};

/**
 * The column of each node, by its longest path from a node without predecessors, which is in the first
 * column. A cycle is cut where it is found.
 */
const layersOf = (nodes: readonly Node[]): ReadonlyMap<string, number> => {
	const byId = new Map(nodes.map(node => [node.id, node]));
	const layers = new Map<string, number>();
	const begun = new Set<string>();
	for (const root of nodes) {
		const stack = [root];
		while (stack.length > 0) {
			const node = stack.at(-1);
			if (node === undefined) break;
			begun.add(node.id);
			const open = node.after.flatMap(id => byId.get(id) ?? []).filter(one => !begun.has(one.id));
			if (open.length > 0) stack.push(...open);
			else {
				stack.pop();
				const before = node.after.flatMap(id => layers.get(id) ?? []);
				if (!layers.has(node.id)) layers.set(node.id, before.length === 0 ? 0 : Math.max(...before) + 1);
			}
		}
	}
	return layers;
};

/** The columns, each sorted by the average row of its nodes' predecessors, so that few lines cross. */
const columnsOf = (nodes: readonly Node[]): readonly (readonly Node[])[] => {
	const layers = layersOf(nodes);
	const rows = new Map<string, number>();
	const rowOf = ({after}: Node): number => {
		const before = after.flatMap(id => rows.get(id) ?? []);
		return before.length === 0 ? 0 : before.reduce((sum, row) => sum + row, 0) / before.length;
	};
	return Array.from({length: Math.max(0, ...layers.values()) + 1}, (_, layer) => {
		const column = nodes
			.filter(({id}) => layers.get(id) === layer)
			.toSorted((one, other) => rowOf(one) - rowOf(other));
		for (const [row, {id}] of column.entries()) rows.set(id, row);
		return column;
	});
};

/**
 * Places the nodes from the last column on. Each is beside its first successor, which keeps the lines short.
 */
const positionNodes = (nodes: readonly Node[]): readonly PositionedNode[] => {
	const positioned: PositionedNode[] = [];
	const beside = new Map<string, number>();
	for (const [layer, column] of [...columnsOf(nodes).entries()].toReversed()) {
		let free = 0;
		for (const node of column) {
			const y = Math.max(free, beside.get(node.id) ?? 0);
			free = y + height + gapY;
			positioned.push({...node, x: layer * (width + gapX), y});
			for (const id of node.after) beside.set(id, Math.min(y, beside.get(id) ?? y));
		}
	}
	return positioned;
};

/** Draws a graph from left to right. A large one scrolls. */
export const Graph = ({nodes, title}: {nodes: readonly Node[]; title: string}) => {
	const positioned = positionNodes(nodes);
	const byId = new Map(positioned.map(node => [node.id, node]));
	const right = Math.max(0, ...positioned.map(({x}) => x)) + width;
	const bottom = Math.max(0, ...positioned.map(({y}) => y)) + height;
	return (
		<div class="scroll graph" tabIndex={0} role="group" aria-label={title}>
			<svg width={right + 4} height={bottom + 4} viewBox={`-2 -2 ${right + 4} ${bottom + 4}`}>
				<title>{title}</title>
				<clipPath id="in-node">
					<rect width={width - 8} height={height} />
				</clipPath>
				{positioned.flatMap(node =>
					node.after.flatMap(id => {
						const from = byId.get(id);
						if (from === undefined) return [];
						const [x1, y1, x2, y2] = [from.x + width, from.y + height / 2, node.x, node.y + height / 2];
						const bend = Math.max(24, Math.abs(x2 - x1) / 2);
						const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
						return [<path key={`${id} ${node.id}`} class="edge" d={path} />];
					}),
				)}
				{positioned.map(node => (
					<a
						key={node.id}
						href={node.href ?? linkTo('topology')}
						class={`node s-${node.state.replace(/\W/g, '-')}`}
					>
						<title>{safe(`${node.label}: ${statusWords(node.state)}`)}</title>
						<g transform={`translate(${node.x} ${node.y})`}>
							<rect width={width} height={height} rx="6" />
							<g clip-path="url(#in-node)">
								<text x="10" y="19">
									{truncate(safe(node.label), 22)}
								</text>
								<text x="10" y="36" class="second">
									{truncate(safe(statusWords(node.state)), 28)}
								</text>
							</g>
						</g>
					</a>
				))}
			</svg>
		</div>
	);
};
