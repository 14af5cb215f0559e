import type {Hidden} from '../../domain/landing.ts';
import {countHidden} from '../../domain/written-out.ts';
import {readPatch} from '../../review/patch.ts';

/**
 * What a change hides, in its paths and in the lines that it adds.
 *
 * @param paths of all files, those too that a long patch has not
 */
export const hiddenIn = (patch: string, paths: readonly string[]): readonly Hidden[] => {
	const read = readPatch(patch).map(({path, hidden}) => ({path, hidden}));
	const known = new Set(read.map(({path}) => path));
	const others = paths.filter(path => !known.has(path)).map(path => ({path, hidden: countHidden(path)}));
	return [...read, ...others].flatMap(({path, hidden}) => hidden.map(count => ({path, ...count})));
};
