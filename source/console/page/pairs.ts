import {blocksOf} from '../../review/blocks.ts';
import type {ChangedLine} from '../answers.ts';

type Pair = readonly [ChangedLine | undefined, ChangedLine | undefined];

/** Lines side by side: each removed line beside the line that replaces it. */
export const pairsOf = (lines: readonly ChangedLine[]): readonly Pair[] =>
	blocksOf(lines, ({kind}) => signs[kind]).flatMap((block): readonly Pair[] =>
		'same' in block
			? [[block.same, block.same]]
			: Array.from({length: Math.max(block.removed.length, block.added.length)}, (_, row) => [
					block.removed[row],
					block.added[row],
				]),
	);

const signs = {removed: '-', added: '+', same: ' ', hunk: ' '} as const;
