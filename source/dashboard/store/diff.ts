/** A row of a diff: one text, or what it was beside what it is. */
export type DiffRow = {readonly whole: string} | {readonly old?: string; readonly new?: string};

/** The words of a row, for searching. */
export const diffText = (row: DiffRow): string =>
	'whole' in row ? row.whole : row.old === row.new ? (row.old ?? '') : `${row.old ?? ''} ${row.new ?? ''}`;

/** A unified diff with what was removed beside what came in its place; heads of files and hunks stay whole. */
export const sideRows = (lines: readonly string[]): readonly DiffRow[] => {
	const rows: DiffRow[] = [];
	let removed: string[] = [];
	let added: string[] = [];
	let isHunk = false;
	const endBlock = (): void => {
		for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
			rows.push({...at('old', removed[index]), ...at('new', added[index])});
		removed = [];
		added = [];
	};
	for (const line of lines) {
		if (line.startsWith('diff --git ')) isHunk = false;
		else if (line.startsWith('@@')) isHunk = true;
		const sign = isHunk ? line[0] : undefined;
		if (sign === '-' && added.length > 0) endBlock();
		if (sign === '-') removed.push(line);
		else if (sign === '+') added.push(line);
		else {
			endBlock();
			rows.push(sign === ' ' ? {old: line, new: line} : {whole: line});
		}
	}
	endBlock();
	return rows;
};

const at = <Side extends 'old' | 'new'>(side: Side, text: string | undefined) =>
	text === undefined ? {} : {[side]: text};
