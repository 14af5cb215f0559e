import {inOrder, isWithin, type Place, type Profile} from '../../domain/containment.ts';

/** Paths that are alike to a contained program, under a heading. */
export type PlaceGroup = {readonly heading: string; readonly paths: readonly string[]};

/** Folders to which paths are shortened. */
export type Near = {readonly home: string; readonly root: string};

const groups: readonly (readonly [heading: string, holds: (place: Place) => boolean])[] = [
	['It writes to', ({as, from}) => as === 'write' && from === undefined],
	['It has its own, which is thrown away after the run', ({after}) => after === 'thrown away'],
	['It has its own, which the runs of its trace share', ({after}) => after === 'kept'],
	['It has its own, of which hive takes over objects and branch', ({after}) => after === 'taken over'],
	['It only reads, also within those', ({as, from}) => as === 'read' && from === undefined],
	['It does not see', ({as}) => as === 'hide'],
];

/** A profile in words, without the places that only hive's own work needs. */
export const profileGroups = ({places}: Profile, near: Near): readonly PlaceGroup[] =>
	groups.flatMap(([heading, holds]) => {
		const paths = inOrder(places)
			.filter(holds)
			.map(({path}) => shortPath(path, near));
		return paths.length === 0 ? [] : [{heading, paths}];
	});

/** A path relative to the checkout, else below `~/`, else as it is. */
const shortPath = (path: string, {home, root}: Near): string => {
	if (path === root) return '. (the checkout)';
	if (isWithin(path, root)) return path.slice(root.length + 1);
	return home !== '/' && isWithin(path, home) ? `~${path.slice(home.length)}` : path;
};

export const formatNetwork = ({network}: Profile): string =>
	typeof network === 'object'
		? `It reaches these hosts only, by a proxy: ${network.join(', ')}.`
		: networks[network];

const networks = {
	none: 'It has no network but a loopback of its own.',
	all: 'It has the network of the machine.',
} as const;
