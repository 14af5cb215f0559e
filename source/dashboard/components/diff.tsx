import {Box} from 'ink';
import {memo} from 'react';
import type {Side} from '../../domain/review-comment.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import type {PatchLine} from '../../review/patch.ts';
import type {LineRow} from '../../review/rows.ts';
import {type WordDifference, wordDifferences} from '../../review/word-differences.ts';
import {useTheme} from '../hooks/use-theme.ts';
import {codeLine, dropLine, wrapLine} from '../parts/code-line.ts';
import {type ColourToken, type Line, line, type Span, span} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {type Background, hasBackground, type Selection, type ThemeName} from '../parts/theme.ts';
import {clipCode, formatComment, formatFile, formatReviewedFile, leftOutMessage} from '../store/diff-text.ts';
import {perObject} from '../store/memo.ts';
import type {DiffRow} from '../store/review.ts';
import type {ReviewState} from '../store/review-state.ts';
import type {DiffColumns} from '../store/texts.ts';
import {Row} from './row.tsx';
import {SafeText} from './safe-text.tsx';
import {Numbered} from './text-window.tsx';

type Props = {
	/** Only the rows in the window. */
	readonly rows: readonly DiffRow[];
	readonly start: number;
	/** Screen rows of the last one. */
	readonly lastRoom: number;
	/** Columns scrolled out at the left. */
	readonly left: number;
	readonly isWrapped: boolean;
	readonly search: string;
	/** Columns of a line number. */
	readonly digits: number;
	readonly columns: DiffColumns;
	readonly colours: ReviewState['colours'];
	/** First and last selected row, as indexes in the whole diff. */
	readonly chosen: readonly [first: number, last: number];
	readonly isFocused: boolean;
};

/** A patch with line numbers, unified or side by side. */
export const Diff = ({rows, start, lastRoom, chosen: [first, last], isFocused, colours, ...look}: Props) => (
	<Numbered items={rows} start={start}>
		{(row, index) => (
			<DiffLine
				row={row}
				selection={start + index < first || start + index > last ? undefined : isFocused ? 'strong' : 'faint'}
				room={index === rows.length - 1 ? lastRoom : undefined}
				old={codeIn(colours, row, 'old')}
				now={codeIn(colours, row, 'new')}
				{...look}
			/>
		)}
	</Numbered>
);

const codeIn = (colours: Props['colours'], row: DiffRow, side: Side): string | undefined => {
	const line = row.kind === 'line' ? row[side] : undefined;
	return line && row.kind === 'line' ? colours.get(row.file)?.get(line) : undefined;
};

type LineProps = Pick<Props, 'left' | 'isWrapped' | 'search' | 'digits' | 'columns'> & {
	readonly row: DiffRow;
	readonly selection: Selection | undefined;
	/** Max rows on the screen. */
	readonly room: number | undefined;
	/** Highlighted parts of the code on each side, as JSON. */
	readonly old: string | undefined;
	readonly now: string | undefined;
};

const DiffLine = memo(
	({row, selection, room, left, isWrapped, search, digits, columns, old, now}: LineProps) => {
		const theme = useTheme();
		const mark = span(selection === undefined ? ' ' : '>', 'accent');
		if (row.kind !== 'line')
			return wrapped(headOf(row), columns.whole - 1, isWrapped)
				.slice(0, room)
				.map((content, at) => (
					<Row
						key={keyAt(at)}
						line={[at === 0 ? mark : span(' '), ...content]}
						ground={selection}
						width={columns.whole}
					/>
				));
		const isPaired = columns.half !== undefined;
		const signs = isPaired ? (['old', 'new'] as const) : ([row.new ? 'new' : 'old'] as const);
		const sides = signs.map(side => {
			const shown = row[side];
			const background = selection ?? backgroundOf(shown, theme);
			// Without a background colour the text colour shows if the line was added or removed. So the line has a
			// single colour.
			const isPlain = shown !== undefined && shown.sign !== ' ' && !hasBackground(theme, 'added');
			const code = isPlain ? undefined : side === 'old' ? old : now;
			const content = shown === undefined ? [] : lineOf(row, side, {code, search, ground: background});
			const numbers = isPaired ? [side] : (['old', 'new'] as const);
			return {
				...{side, shown, ground: background},
				numbers: numbers.map(name => numberOf(row, name, digits)),
				parts: wrapped(isWrapped ? content : dropLine(content, left), columns.code[side], isWrapped),
			};
		});
		const height = Math.min(
			room ?? Number.POSITIVE_INFINITY,
			Math.max(...sides.map(({parts}) => parts.length)),
		);
		return Array.from({length: height}, (_, at) => {
			const halves = sides.map(({side, shown, ground: background, numbers, parts}) => {
				const blank = numbers.map(({text}) => span(' '.repeat(text.length)));
				const sign =
					shown === undefined
						? []
						: [
								span(
									at === 0 ? shown.sign : ' ',
									hasBackground(theme, 'added') ? 'strong' : signTokens[shown.sign],
								),
							];
				const isFirst = side === 'old' || !isPaired;
				return {
					ground: background,
					line: [
						...(isFirst ? [at === 0 ? mark : span(' ')] : []),
						...(at === 0 ? numbers : blank),
						...sign,
						...(parts[at] ?? []),
					],
				};
			});
			const [first, second] = halves;
			if (first === undefined || second === undefined)
				return first && <Row key={keyAt(at)} {...first} width={columns.whole} />;
			return (
				<Box key={keyAt(at)} height={1} flexShrink={0}>
					<Row {...first} width={columns.half ?? 0} />
					<Box flexShrink={0} aria-hidden>
						<SafeText tone="border">│</SafeText>
					</Box>
					<Row {...second} width={columns.whole - 1 - (columns.half ?? 0)} />
				</Box>
			);
		});
	},
);

const keyAt = (at: number): string => `part-${at}`;

const wrapped = (content: Line, width: number, isWrapped: boolean): readonly Line[] =>
	isWrapped ? wrapLine(content, width) : [content];

const backgroundOf = (shown: PatchLine | undefined, theme: ThemeName): Background | undefined => {
	if (shown === undefined || shown.sign === ' ') return;
	const background = shown.sign === '+' ? 'added' : 'removed';
	return hasBackground(theme, background) ? background : undefined;
};

const numberOf = ({old, new: now}: LineRow, side: Side, digits: number): Span =>
	span(`${String((side === 'old' ? old?.old : now?.new) ?? '').padStart(digits)} `, 'dim');

const headOf = (row: Exclude<DiffRow, LineRow>): Line => {
	if (row.kind === 'file') {
		const {added, removed} = row.file;
		return [
			span(formatFile(row.file), 'strong'),
			span(` +${added}`, 'added'),
			span(` -${removed}`, 'removed'),
		];
	}
	if (row.kind === 'hunk') return line(row.header, 'info');
	if (row.kind === 'left-out') return line(leftOutMessage, 'dim');
	if (row.kind === 'seen') return line(formatReviewedFile(row.lines), 'good');
	return line(formatComment(row), row.anchored.state === 'outdated' ? 'bad' : 'accent');
};

const signTokens: Readonly<Record<PatchLine['sign'], ColourToken>> = {
	' ': 'plain',
	'+': 'added',
	'-': 'removed',
};
const wordTokens: Readonly<Record<PatchLine['sign'], ColourToken>> = {
	...{' ': 'plain', '+': 'added-word', '-': 'removed-word'},
};

type Drawn = {
	readonly code: string | undefined;
	readonly search: string;
	readonly ground: Background | undefined;
};

/** One side of a line. Marks the words that only this side has. Marks for a search come first. */
const lineOf = (row: LineRow, side: Side, {code, search, ground: background}: Drawn): Line => {
	const {sign = ' ', text: whole = ''} = row[side] ?? {};
	const text = clipCode(whole);
	const shown = sanitizeLine(text);
	// The background shows if the line was added or removed, so the text needs no colour for that.
	const isMarkedWord = background === 'added' || background === 'removed';
	const plain = isMarkedWord ? 'plain' : signTokens[sign];
	if (search !== '' && shown.toLowerCase().includes(search.toLowerCase()))
		return markFound(shown, search, plain);
	return codeLine(text, {
		code: code === undefined || text !== whole ? undefined : JSON.parse(code),
		words: text === whole ? wordDifferencesOf(row)?.[side] : undefined,
		plain,
		own: isMarkedWord || background === undefined ? wordTokens[sign] : 'strong',
	});
};

const wordDifferencesOf = perObject(
	({change}: LineRow): Readonly<Record<Side, readonly WordDifference[]>> | undefined =>
		change && wordDifferences(change.old, change.new),
);
