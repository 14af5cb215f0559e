export type Line = {
	readonly kind: 'added' | 'removed' | 'same' | 'hunk';
	readonly text: string;
	/** Its numbers before and after. */
	readonly old?: number;
	readonly new?: number;
};

export type FileDiff = {
	readonly path: string;
	readonly added: number;
	readonly removed: number;
	readonly lines: readonly Line[];
};

/** The files of a unified diff of git's. */
export const readPatch = (patch: string): readonly FileDiff[] =>
	patch
		.split(/^diff --git /m)
		.slice(1)
		.map(readFile);

const readFile = (part: string): FileDiff => {
	const lines = part.split('\n');
	const path = / b\/(.*)$/.exec(lines[0] ?? '')?.[1] ?? lines[0] ?? '';
	const read: Line[] = [];
	let [old, now] = [0, 0];
	let isIn = false;
	for (const line of lines.slice(1)) {
		const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
		if (hunk !== null) {
			[old, now] = [Number(hunk[1]), Number(hunk[2])];
			isIn = true;
			read.push({kind: 'hunk', text: line});
		} else if (!isIn) {
			if (/^(Binary|new file|deleted file|rename|old mode|new mode)/.test(line))
				read.push({kind: 'hunk', text: line});
		} else if (line.startsWith('+')) read.push({kind: 'added', text: line.slice(1), new: now++});
		else if (line.startsWith('-')) read.push({kind: 'removed', text: line.slice(1), old: old++});
		else if (line.startsWith(' ')) read.push({kind: 'same', text: line.slice(1), old: old++, new: now++});
	}
	const count = (kind: Line['kind']): number => read.filter(one => one.kind === kind).length;
	return {path, added: count('added'), removed: count('removed'), lines: read};
};

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
