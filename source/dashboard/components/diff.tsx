import {Box} from 'ink';
import {memo} from 'react';
import type {Side} from '../../domain/review-comment.ts';
import type {PatchLine} from '../../review/patch.ts';
import type {LineRow} from '../../review/rows.ts';
import {type WordPart, wordDifferences} from '../../review/words.ts';
import {dropColumns} from '../parts/cells.ts';
import {type Line, line, span, type Tone} from '../parts/line.ts';
import type {Bar} from '../parts/look.ts';
import {markFound} from '../parts/search-marks.ts';
import {commentWords, fileWords, seenWords} from '../store/diff-text.ts';
import {perObject} from '../store/memo.ts';
import type {DiffRow} from '../store/review.ts';
import {RichText, SafeText} from './safe-text.tsx';
import {Numbered} from './text-window.tsx';

type Props = {
	/** Rows of the window only. */
	readonly rows: readonly DiffRow[];
	readonly start: number;
	readonly left: number;
	readonly search: string;
	/** Columns of a line number. */
	readonly digits: number;
	readonly isPaired: boolean;
	/** First and last of the rows that are chosen, of the whole. */
	readonly chosen: readonly [first: number, last: number];
	readonly isFocused: boolean;
};

/** A patch with line numbers: unified, or what was beside what is. */
export const Diff = ({rows, start, chosen: [first, last], isFocused, ...look}: Props) => (
	<Numbered items={rows} start={start}>
		{(row, index) => (
			<DiffLine
				row={row}
				bar={start + index < first || start + index > last ? undefined : isFocused ? 'strong' : 'faint'}
				{...look}
			/>
		)}
	</Numbered>
);

type LineProps = Pick<Props, 'left' | 'search' | 'digits' | 'isPaired'> & {
	readonly row: DiffRow;
	readonly bar: Bar | undefined;
};

const DiffLine = memo(({row, bar, left, search, digits, isPaired}: LineProps) => {
	const mark = span(bar === undefined ? ' ' : '>', 'accent');
	if (row.kind !== 'line') return <RichText line={[mark, ...headOf(row)]} bar={bar} />;
	const number = (side: Side, {old, new: now} = row) =>
		span(`${String((side === 'old' ? old?.old : now?.new) ?? '').padStart(digits)} `, 'dim');
	const text = (side: Side) => lineOf(row, side, left, search);
	if (!isPaired) {
		const side = row.new ? 'new' : 'old';
		return <RichText line={[mark, number('old'), number('new'), ...text(side)]} bar={bar} />;
	}
	return (
		<Box height={1} flexShrink={0}>
			<Box flexBasis={0} flexGrow={1}>
				<RichText line={[mark, number('old'), ...text('old')]} bar={bar} />
			</Box>
			<Box flexShrink={0} aria-hidden>
				<SafeText tone="border">│</SafeText>
			</Box>
			<Box flexBasis={0} flexGrow={1}>
				<RichText line={[number('new'), ...text('new')]} bar={bar} />
			</Box>
		</Box>
	);
});

const headOf = (row: Exclude<DiffRow, LineRow>): Line => {
	if (row.kind === 'file') {
		const {added, removed} = row.file;
		return [
			span(fileWords(row.file), 'strong'),
			span(` +${added}`, 'added'),
			span(` -${removed}`, 'removed'),
		];
	}
	if (row.kind === 'hunk') return line(row.place, 'info');
	if (row.kind === 'seen') return line(seenWords(row.lines), 'good');
	return line(commentWords(row), row.anchored.state === 'outdated' ? 'bad' : 'accent');
};

const tones: Readonly<Record<PatchLine['sign'], Tone>> = {' ': 'plain', '+': 'added', '-': 'removed'};

/** One side of a line behind its sign, what only this side has set off; what is searched for comes first. */
const lineOf = (row: LineRow, side: Side, left: number, search: string): Line => {
	const shown = row[side];
	if (shown === undefined) return [];
	const tone = tones[shown.sign];
	const sign = span(shown.sign, tone);
	const text = span(shown.text).text;
	const isFound = search !== '' && text.toLowerCase().includes(search.toLowerCase());
	const words = isFound || left > 0 ? undefined : wordsOf(row)?.[side];
	if (words === undefined) return [sign, ...markFound(dropColumns(text, left), search, tone)];
	return [sign, ...words.map(part => span(part.text, part.isOwn ? 'strong' : tone))];
};

const wordsOf = perObject(
	({change}: LineRow): Readonly<Record<Side, readonly WordPart[]>> | undefined =>
		change && wordDifferences(change.old, change.new),
);
