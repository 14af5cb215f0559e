import {Fragment, memo, type ReactNode} from 'react';
import {dropColumns} from '../parts/cells.ts';
import {span, type Tone} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {timeWidth} from '../parts/words.ts';
import {RichText} from './safe-text.tsx';

type Props = {
	/** Lines of the window only. */
	readonly lines: readonly string[];
	/** What stands dim before each, and stays where the rest is scrolled sideways. */
	readonly times?: readonly string[] | undefined;
	/** Position of the first of them in the whole text. */
	readonly start: number;
	/** Columns scrolled out on the left. */
	readonly left: number;
	readonly search: string;
	readonly toneOf?: (text: string) => Tone;
};

/** Lines of a long text, with what is searched for marked. */
export const TextWindow = ({lines, times, start, left, search, toneOf = plain}: Props) => (
	<Numbered items={lines} start={start}>
		{(text, index) => (
			<TextLine text={text} time={times?.[index]} left={left} search={search} tone={toneOf(text)} />
		)}
	</Numbered>
);

const plain = (): Tone => 'plain';

type NumberedProps<Item> = {
	readonly items: readonly Item[];
	readonly start: number;
	readonly children: (item: Item, index: number) => ReactNode;
};

/**
 * Rows that are known by where they stand in the whole: what scrolls away goes, what stays is not drawn anew.
 */
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
	readonly tone: Tone;
};

const TextLine = memo(({text, time, left, search, tone}: LineProps) => {
	// A text of nothing takes no row.
	const shown = markFound(dropColumns(text, left) || ' ', search, tone);
	const before = time === undefined ? [] : [span(`${time.padEnd(timeWidth)} `, 'dim')];
	return <RichText line={[...before, ...shown]} />;
});
