import {join} from 'node:path';
import {stringify} from 'yaml';
import {HiveError} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import {readYaml} from './parse/read-yaml.ts';
import type {YamlTree} from './parse/yaml-tree.ts';

/** An act that a person has allowed for good: exactly this tool with exactly these arguments. */
export type Permission = {
	readonly tool: string;
	/** The arguments as JSON, in the order in which the tool gave them. */
	readonly arguments: string;
};

/** The permissions that a person keeps on this machine with `--always`. */
export type Permissions = {
	/** Throws `invalid_config` if the file cannot be read. */
	readonly list: () => Promise<readonly Permission[]>;
	/** Adds it, unless it is there. */
	readonly keep: (permission: Permission) => Promise<void>;
	/** Removes the one at this place in the list, from 1. Returns undefined if there is none. */
	readonly remove: (number: number) => Promise<Permission | undefined>;
};

/** Below the machine-local folder of the colony. */
export const permissionsFile = 'permissions.yaml';

/** @param folder the machine-local folder of the checkout */
export const createPermissions = (files: Files, folder: string): Permissions => {
	const path = join(folder, permissionsFile);
	const list = async (): Promise<readonly Permission[]> => parsePermissions((await files.read(path)) ?? '');
	/** One at a time, since each change writes the whole file. */
	let last: Promise<unknown> = Promise.resolve();
	const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
		const next = last.then(work, work);
		last = next.catch(() => {});
		return next;
	};
	const save = (allow: readonly Permission[]): Promise<void> =>
		files.write(path, stringify({allow}), {mode: 0o600});
	return {
		list,
		keep: permission =>
			inTurn(async () => {
				const all = await list();
				if (!all.some(one => isSame(one, permission))) await save([...all, permission]);
			}),
		remove: number =>
			inTurn(async () => {
				const all = await list();
				const removed = all[number - 1];
				if (removed !== undefined) await save(all.filter(one => one !== removed));
				return removed;
			}),
	};
};

export const isSame = (one: Permission, other: Permission): boolean =>
	one.tool === other.tool && one.arguments === other.arguments;

/** Throws `invalid_config`, since a rule that cannot be read must not allow anything. */
const parsePermissions = (text: string): readonly Permission[] => {
	if (text.trim() === '') return [];
	const read = readYaml(text);
	if (!read.ok) throw broken(read.problems[0]?.line ?? 1, read.problems[0]?.message ?? '');
	const allow = fieldOf(read.tree, 'allow');
	if (allow === undefined) return [];
	if (allow.type !== 'list') throw broken(allow.line, 'expected a list');
	return allow.items.map(item => {
		const [tool, given] = [textOf(fieldOf(item, 'tool')), textOf(fieldOf(item, 'arguments'))];
		if (tool === undefined || given === undefined) throw broken(item.line, 'needs "tool" and "arguments"');
		return {tool, arguments: given};
	});
};

const fieldOf = (tree: YamlTree, name: string): YamlTree | undefined =>
	tree.type === 'map' ? tree.entries.get(name) : undefined;

const textOf = (tree: YamlTree | undefined): string | undefined =>
	tree?.type === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;

const broken = (line: number, message: string): HiveError =>
	new HiveError('invalid_config', {
		message: `${permissionsFile}:${line}: ${message}`,
		hint: 'Repair the file, or delete it; then every act is asked about again.',
	});
