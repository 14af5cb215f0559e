/** Removed lines, and the lines that replaced them. */
export type Changed<Line> = {readonly removed: readonly Line[]; readonly added: readonly Line[]};

export type Block<Line> = Changed<Line> | {readonly same: Line};

/**
 * Returns the lines of a hunk in order, as blocks. Each run of changes is one block, and so is each unchanged
 * line.
 */
export const blocksOf = <Line>(
	lines: readonly Line[],
	signOf: (line: Line) => '+' | '-' | ' ',
): readonly Block<Line>[] => {
	const blocks: Block<Line>[] = [];
	let [removed, added]: [Line[], Line[]] = [[], []];
	const endBlock = (): void => {
		if (removed.length + added.length > 0) blocks.push({removed, added});
		[removed, added] = [[], []];
	};
	for (const line of lines) {
		const sign = signOf(line);
		if (sign !== '+' && added.length > 0) endBlock();
		if (sign === '-') removed.push(line);
		else if (sign === '+') added.push(line);
		else {
			endBlock();
			blocks.push({same: line});
		}
	}
	endBlock();
	return blocks;
};
