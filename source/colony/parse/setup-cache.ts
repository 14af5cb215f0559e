import {isWithin} from '../../domain/containment.ts';
import type {SetupCache} from '../colony.ts';
import {relativePath} from '../relative-path.ts';
import {fields, listOf, type Reader, scalarOf} from './reader.ts';

/** A path below the worktree, outside git's and hive's folders. */
const cachedPath = scalarOf(
	'a relative path without "..", wildcards, .git or .hive',
	({value}): string | undefined => {
		const path = typeof value === 'string' && !/[*?[\]]/.test(value) ? relativePath(value) : undefined;
		const names = path?.toLowerCase().split('/') ?? [];
		return path === '.' || names.includes('.git') || names[0] === '.hive' ? undefined : path;
	},
);

const item = fields({key: listOf(cachedPath), paths: listOf(cachedPath)}, ['key', 'paths']);

/**
 * Reads `workspaces.cache`: a list of `{key, paths}`. Setup makes all paths together, so the keys of all
 * items count for all paths.
 */
export const setupCache: Reader<SetupCache> = (tree, notes) => {
	const items = listOf(item)(tree, notes) ?? [];
	const key = [...new Set(items.flatMap(one => one.key ?? []))];
	const paths = [...new Set(items.flatMap(one => one.paths ?? []))];
	if (items.some(one => one.key?.length === 0 || one.paths?.length === 0))
		return notes.problem(tree.line, 'an item of "cache" needs a file in "key" and a path in "paths"');
	if (key.length === 0 || paths.length === 0) return undefined;
	const outer = paths.filter(path => !paths.some(other => other !== path && isWithin(path, other)));
	const made = key.find(file => outer.some(path => isWithin(file, path)));
	if (made !== undefined) return notes.problem(tree.line, `"${made}" is a key and also in a cached path`);
	return {key, paths: outer};
};
