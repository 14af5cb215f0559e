import {join} from 'node:path';
import type {Files} from '../ports/files.ts';
import {busSettings} from './bus-settings.ts';
import {colonyFile} from './load-colony.ts';
import {loadMachine} from './load-machine.ts';
import {parseColonyYaml} from './parse/colony.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';

/** A checkout of a colony that has a folder on this machine. */
export type KnownCheckout = {
	/** Absolute machine-local directory. */
	readonly folder: string;
	/** Its id (docs/architecture.md §3). Undefined if `init` was interrupted. */
	readonly id: string | undefined;
	/** Absolute. */
	readonly root: string;
	/** True if the root is still a checkout of this colony. */
	readonly isThere: boolean;
	/** Address of the message bus in its `config.yaml`, without credentials. */
	readonly bus?: string;
};

type ReadFiles = Pick<Files, 'read' | 'list' | 'size'>;

/**
 * The checkouts of a colony, by their folders. The first has the slug as its name, further ones a suffix
 * (docs/architecture.md §3). A folder with an unreadable `config.yaml` is left out.
 *
 * @param home absolute folder that holds one machine-local directory per checkout
 */
export const knownCheckouts = async (
	files: ReadFiles,
	home: string,
	slug: string,
): Promise<readonly KnownCheckout[]> => {
	const names = await files.list(home);
	const folders = names.filter(name => isFolderOf(name, slug)).map(name => join(home, name));
	const known = await Promise.all(
		folders.map(async folder => {
			const machine = await loadMachine(files, folder);
			if (!machine.ok || machine.value?.slug !== slug) return [];
			const {colonyRoot: root} = machine.value;
			const bus = busSettings({}, machine.value);
			const id = (await files.read(join(folder, 'place')))?.trim();
			// A root that cannot be read may still exist.
			const isThere = await isCheckoutOf(files, root, slug).catch(() => true);
			return [{folder, id, root, isThere, ...(bus.ok && bus.value && {bus: bus.value.shown})}];
		}),
	);
	return known.flat();
};

const isFolderOf = (name: string, slug: string): boolean =>
	name === slug || (name.startsWith(`${slug}-`) && /^[0-9a-f]{8}$/.test(name.slice(slug.length + 1)));

/**
 * True for a git repository with `.hive`. The checked out branch may lack `.hive/colony.yaml`: the ignored
 * files below `.hive` stay.
 */
export const isCheckout = async (files: Pick<Files, 'size'>, root: string): Promise<boolean> => {
	const sizes = await Promise.all(['.git', '.hive'].map(name => files.size(join(root, name))));
	return sizes.every(size => size !== undefined);
};

const isCheckoutOf = async (files: ReadFiles, root: string, slug: string): Promise<boolean> => {
	if (!(await isCheckout(files, root))) return false;
	const text = await files.read(join(root, colonyFile));
	if (text === undefined) return true;
	const {value} = parseColonyYaml(colonyFile, await readYamlUncached(text));
	return value === undefined || value.slug === slug;
};
