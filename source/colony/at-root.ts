import {join, relative} from 'node:path';

/**
 * The current path for one that was recorded before its checkout was moved. All paths are absolute. A path
 * outside the checkout is unchanged.
 */
export const atRoot = (root: string, before: string, path: string): string =>
	path === before || path.startsWith(`${before}/`) ? join(root, relative(before, path)) : path;
