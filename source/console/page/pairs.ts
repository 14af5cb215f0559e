import type {Line} from './types.ts';

/** Lines beside each other: what was removed next to what was added in its place. */
export const pairsOf = (
	lines: readonly Line[],
): readonly (readonly [Line | undefined, Line | undefined])[] => {
	const pairs: (readonly [Line | undefined, Line | undefined])[] = [];
	let removed: Line[] = [];
	let added: Line[] = [];
	const flush = (): void => {
		for (let row = 0; row < Math.max(removed.length, added.length); row++)
			pairs.push([removed[row], added[row]]);
		removed = [];
		added = [];
	};
	for (const line of lines) {
		if (line.kind === 'removed') removed.push(line);
		else if (line.kind === 'added') added.push(line);
		else {
			flush();
			pairs.push([line, line]);
		}
	}
	flush();
	return pairs;
};
