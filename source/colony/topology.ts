import {compareText} from '../domain/compare-text.ts';
import {
	type AdapterName,
	type AutoInvite,
	type Bee,
	type Colony,
	type EventRule,
	takesTasks,
} from './colony.ts';

/**
 * A bipartite graph of bees and the events that they publish and subscribe to (docs/rules.md §9). It depends
 * on the configuration only, and has a fixed order.
 */
export type Topology = {
	/** Sorted by role. */
	readonly bees: readonly {
		readonly role: string;
		readonly adapter: AdapterName;
		readonly intents: readonly string[];
		readonly defaultIntent: string;
	}[];
	/** Sorted by id. */
	readonly events: readonly TopologyEvent[];
	/** Sorted by kind, from, to and dispatch. */
	readonly edges: readonly TopologyEdge[];
};

/** `kind` is `*` if a rule names none. `id` is `TYPE/kind`. */
export type TopologyEvent = {readonly type: EventRule['type']; readonly kind: string; readonly id: string};

export type TopologyEdge =
	| {
			readonly kind: 'subscribe';
			/** Id of the event. */
			readonly from: string;
			/** Role of the bee. */
			readonly to: string;
			readonly dispatch: 'task' | 'direct';
			/** True if the bee has no subscriptions, and therefore takes tasks. */
			readonly implicit: boolean;
	  }
	| {readonly kind: 'publish'; readonly from: string; readonly to: string}
	| {
			readonly kind: 'invite';
			/** Id of the event. */
			readonly from: string;
			/** Role of the bee. Empty if only the event names it. */
			readonly to: string;
			/** Field of the payload that may name another bee. Empty if there is none. */
			readonly beeFrom: string;
			/** Empty if only the event names it. */
			readonly intent: string;
			/** `field=value`, separated by commas. Empty if every event of the kind invites. */
			readonly match: string;
	  };

export const topologyOf = (colony: Colony): Topology => {
	const bees = [...colony.bees.values()].sort((a, b) => compareText(a.role, b.role));
	const {autoInvites = []} = colony;
	const rules = [
		...bees.flatMap(bee => [...subscriptionsOf(bee), ...bee.publishes]),
		...autoInvites.map(({when}) => when),
	];
	const events = new Map(rules.map(rule => [idOf(rule), eventOf(rule)]));
	return {
		bees: bees.map(({role, adapter, intents, defaultIntent = ''}) => ({
			role,
			adapter,
			intents,
			defaultIntent,
		})),
		events: [...events.values()].sort((a, b) => compareText(a.id, b.id)),
		edges: distinct([
			...bees.flatMap(bee => [...subscribeEdges(bee), ...publishEdges(bee)]),
			...autoInvites.map(inviteEdge),
		]),
	};
};

const idOf = ({type, kind = '*'}: EventRule): string => `${type}/${kind}`;

const eventOf = ({type, kind = '*'}: EventRule): TopologyEvent => ({type, kind, id: idOf({type, kind})});

const takesReady = {type: 'SIGNAL', kind: 'task.ready', dispatch: 'task'} as const;

const subscriptionsOf = (bee: Bee): Bee['subscribes'] =>
	bee.subscribes.length === 0 && takesTasks(bee) ? [takesReady] : bee.subscribes;

const subscribeEdges = (bee: Bee): TopologyEdge[] =>
	subscriptionsOf(bee).map(rule => ({
		kind: 'subscribe',
		from: idOf(rule),
		to: bee.role,
		dispatch: rule.dispatch,
		implicit: bee.subscribes.length === 0,
	}));

const publishEdges = (bee: Bee): TopologyEdge[] =>
	bee.publishes.map(rule => ({kind: 'publish', from: bee.role, to: idOf(rule)}));

const inviteEdge = ({when, match, bee, intent}: AutoInvite): TopologyEdge => ({
	kind: 'invite',
	from: idOf(when),
	to: bee.default ?? '',
	beeFrom: bee.from ?? '',
	intent: intent.default ?? '',
	match: Object.entries(match)
		.map(([field, value]) => `${field}=${value}`)
		.join(','),
});

const distinct = (edges: readonly TopologyEdge[]): TopologyEdge[] => {
	const byKey = new Map(edges.map(edge => [keyOf(edge), edge]));
	return [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, edge]) => edge);
};

const keyOf = (edge: TopologyEdge): string => [edge.kind, edge.from, edge.to, ...restOf(edge)].join('\0');

const restOf = (edge: TopologyEdge): readonly string[] => {
	if (edge.kind === 'subscribe') return [edge.dispatch];
	return edge.kind === 'invite' ? [edge.beeFrom, edge.intent, edge.match] : [];
};

/** The label of an edge: `subscribe task implicit`, `publish`. */
export const edgeLabel = (edge: TopologyEdge): string => {
	switch (edge.kind) {
		case 'publish':
			return 'publish';
		case 'subscribe':
			return `subscribe ${edge.dispatch}${edge.implicit ? ' implicit' : ''}`;
		case 'invite':
			return ['invite', ...inviteNotes(edge)].join(' ');
	}
};

/** The notes of an invite beside its event and bee, without characters that a diagram would interpret. */
export const inviteNotes = ({
	beeFrom,
	intent,
	match,
}: Extract<TopologyEdge, {kind: 'invite'}>): readonly string[] =>
	[
		...(beeFrom === '' ? [] : [`from=${beeFrom}`]),
		...(intent === '' ? [] : [`intent=${intent}`]),
		...(match === '' ? [] : [`match ${match}`]),
	].map(note => note.replaceAll(/[^\w .,=-]/g, '_'));
