import {join, relative} from 'node:path';

/**
 * Where a path is now that was written down before its checkout was moved. All are absolute; one outside
 * stays.
 */
export const atRoot = (root: string, before: string, path: string): string =>
	path === before || path.startsWith(`${before}/`) ? join(root, relative(before, path)) : path;
