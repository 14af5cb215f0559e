export const containModes = ['auto', 'required', 'off'] as const;
export type ContainMode = (typeof containModes)[number];

/** `all`: as on the machine. A list: only these hosts, through a proxy. */
export type ContainNetwork = 'all' | 'none' | readonly string[];

/** `contain` of a colony or a bee. An absent key is not set there. */
export type ContainSetting = {
	readonly mode?: ContainMode;
	/** Paths as written: absolute, below `~/`, or relative to the checkout. */
	readonly read?: readonly string[];
	readonly write?: readonly string[];
	readonly hide?: readonly string[];
	readonly network?: ContainNetwork;
};

/** Where a contained program finds which run it belongs to. */
export const containedMark = '/run/hive/run.json';

/** The mode in force. Keys without a mode mean `auto`; without any key nothing is contained. */
export const containModeOf = (setting: ContainSetting | undefined): ContainMode =>
	setting === undefined ? 'off' : (setting.mode ?? 'auto');

/** True if runs are contained wherever the machine can do that. */
export const wantsContainment = (setting: ContainSetting | undefined): boolean =>
	containModeOf(setting) !== 'off';

/** Begins the warning of a run that was to be contained, and was not. */
export const uncontained = 'not contained';

/** "not contained", if the bee of a run asks for containment and its machine had none; else empty. */
export const containmentLabel = ({warnings = []}: {readonly warnings?: readonly string[]}): string =>
	warnings.some(text => text.startsWith(uncontained)) ? uncontained : '';

/** What a contained program finds at a path. */
export type Place = {
	/** Absolute, without links. */
	readonly path: string;
	/** `hide`: an empty folder or file. */
	readonly as: 'read' | 'write' | 'hide';
	/** A path outside whose content is at `path`; by default the same path. */
	readonly from?: string;
	/** Of a hidden path: it is a file. */
	readonly isFile?: boolean;
	/**
	 * Of a place with content of its own, what becomes of that after the run: thrown away, kept for the runs of
	 * its trace, or taken over into the repository.
	 */
	readonly after?: 'thrown away' | 'kept' | 'taken over';
};

/** All that a contained program can reach. What no place names is read-only. */
export type Profile = {
	readonly places: readonly Place[];
	readonly network: ContainNetwork;
	/** Absolute path of the file for the hosts that it asks for, if its network is a list. */
	readonly askedHosts?: string;
	/** Working directory. */
	readonly workspace: string;
};

/** True if `path` is `folder` or below it. */
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** The place that decides about a path: the one with the longest path. */
export const placeAt = (places: readonly Place[], path: string): Place | undefined =>
	places
		.filter(place => isWithin(path, place.path))
		.reduce<Place | undefined>(
			(best, place) => (best === undefined || place.path.length >= best.path.length ? place : best),
			undefined,
		);

/**
 * The places in the order in which they are laid: a folder before what is in it. So the most exact path
 * decides. Of two places with the same path the later one is kept.
 */
export const inOrder = (places: readonly Place[]): readonly Place[] =>
	[...new Map(places.map(place => [place.path, place])).values()].sort(
		(a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
	);

const depthOf = (path: string): number => path.split('/').filter(Boolean).length;
