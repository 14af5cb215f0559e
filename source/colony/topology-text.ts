import {kindRule} from '../domain/event-kinds.ts';
import {inviteNotes, type Topology, type TopologyEdge, type TopologyEvent} from './topology.ts';

/** One block per event, with its publishers and subscribers. Events of hive itself name hive as both. */
export const renderTopology = ({bees, events, edges}: Topology): string => {
	if (bees.length === 0) return 'The colony has no bees. Bees are files in .hive/bees/.';
	const width = Math.max(...bees.map(({role}) => role.length));
	return [
		...events.map(event => blockOf(event, edges)),
		[
			'Bees',
			...bees.map(
				({role, adapter, intents}) =>
					`  ${role.padEnd(width)}  ${adapter}${intents.length === 0 ? '' : `  intents: ${intents.join(', ')}`}`,
			),
		].join('\n'),
	].join('\n\n');
};

const blockOf = ({id, kind}: TopologyEvent, edges: readonly TopologyEdge[]): string => {
	const publishers = edges.filter(edge => edge.kind === 'publish' && edge.to === id).map(({from}) => from);
	const takers = edges.flatMap(edge => (edge.kind !== 'publish' && edge.from === id ? [takerOf(edge)] : []));
	const others = othersOf(kind);
	return [
		id,
		`  from  ${publishers.join(', ') || others.publish}`,
		`  to    ${takers.join(', ') || others.take}`,
	].join('\n');
};

const takerOf = (edge: Exclude<TopologyEdge, {kind: 'publish'}>): string =>
	edge.kind === 'subscribe'
		? `${edge.to} (${edge.dispatch}${edge.implicit ? ', implicit' : ''})`
		: `${edge.to || 'a bee'} (${['invite', ...inviteNotes(edge)].join(', ')})`;

/** The publisher and subscriber of an event without a bee. */
const othersOf = (kind: string): {readonly publish: string; readonly take: string} => {
	if (kind === '*') return {publish: 'anyone', take: 'anyone'};
	const rule = kindRule(kind);
	const isOfHive = rule !== undefined && !rule.ofColony;
	return isOfHive ? {publish: 'hive', take: 'hive'} : {publish: 'people', take: 'no bee'};
};
