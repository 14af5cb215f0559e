import {Fragment, memo, type ReactNode} from 'react';
import {dropColumns} from '../parts/cells.ts';
import {timeWidth} from '../parts/format.ts';
import {type ColourToken, span} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {Row} from './row.tsx';
import {RichText} from './safe-text.tsx';

type Props = {
	/** Only the lines in the window. */
	readonly lines: readonly string[];
	/** Dim text before each line. It does not scroll sideways. */
	readonly times?: readonly string[] | undefined;
	/** Index of the first line in the whole text. */
	readonly start: number;
	/** Columns scrolled out at the left. */
	readonly left: number;
	readonly search: string;
	readonly toneOf?: (text: string) => ColourToken;
	/** The line with a bar, by its index in the window, and the columns of the bar. */
	readonly marked?: {readonly index: number; readonly width: number} | undefined;
};

/** Lines of a long text, with search matches marked. */
export const TextWindow = ({lines, times, start, left, search, toneOf = plain, marked}: Props) => (
	<Numbered items={lines} start={start}>
		{(text, index) => (
			<TextLine
				{...{text, left, search}}
				time={times?.[index]}
				tone={toneOf(text)}
				barWidth={index === marked?.index ? marked.width : undefined}
			/>
		)}
	</Numbered>
);

const plain = (): ColourToken => 'plain';

type NumberedProps<Item> = {
	readonly items: readonly Item[];
	readonly start: number;
	readonly children: (item: Item, index: number) => ReactNode;
};

/** Rows keyed by their index in the whole: when scrolling, rows that stay are not redrawn. */
export const Numbered = <Item,>({items, start, children}: NumberedProps<Item>) =>
	items.map((item, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: where it stands in the whole is what it is.
		<Fragment key={start + index}>{children(item, index)}</Fragment>
	));

type LineProps = {
	readonly text: string;
	readonly time?: string | undefined;
	readonly left: number;
	readonly search: string;
	readonly tone: ColourToken;
	readonly barWidth: number | undefined;
};

const TextLine = memo(({text, time, left, search, tone, barWidth}: LineProps) => {
	// An empty text takes no row.
	const shown = markFound(dropColumns(text, left) || ' ', search, tone);
	const before = time === undefined ? [] : [span(`${time.padEnd(timeWidth)} `, 'dim')];
	const line = [...before, ...shown];
	return barWidth === undefined ? (
		<RichText line={line} />
	) : (
		<Row line={line} ground="strong" width={barWidth} />
	);
});
