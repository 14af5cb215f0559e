import type {ChangedLine} from '../answers.ts';

/** Lines beside each other: what was removed next to what was added in its place. */
export const pairsOf = (
	lines: readonly ChangedLine[],
): readonly (readonly [ChangedLine | undefined, ChangedLine | undefined])[] => {
	const pairs: (readonly [ChangedLine | undefined, ChangedLine | undefined])[] = [];
	let removed: ChangedLine[] = [];
	let added: ChangedLine[] = [];
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
