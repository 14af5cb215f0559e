import type {Topology} from './topology.ts';

/** Ids that every diagram language takes: `E_SIGNAL_task_ready`, `B_builder`. Names that fall together are numbered. */
export const nodeIds = ({events, bees}: Topology): ReadonlyMap<string, string> => {
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
export const eventNode = (id: string): string => `event ${id}`;
export const beeNode = (role: string): string => `bee ${role}`;
