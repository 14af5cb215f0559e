import {Fragment, memo, type ReactNode} from 'react';
import {dropColumns} from '../parts/cells.ts';
import type {Tone} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {RichText} from './safe-text.tsx';

type Props = {
	/** Lines of the window only. */
	readonly lines: readonly string[];
	/** Position of the first of them in the whole text. */
	readonly start: number;
	/** Columns scrolled out on the left. */
	readonly left: number;
	readonly search: string;
	readonly toneOf?: (text: string) => Tone;
};

/** Lines of a long text, with what is searched for marked. */
export const TextWindow = ({lines, start, left, search, toneOf = plain}: Props) => (
	<Numbered items={lines} start={start}>
		{text => <TextLine text={text} left={left} search={search} tone={toneOf(text)} />}
	</Numbered>
);

const plain = (): Tone => 'plain';

type NumberedProps<Item> = {
	readonly items: readonly Item[];
	readonly start: number;
	readonly children: (item: Item) => ReactNode;
};

/** Rows that are known by where they stand in the whole: what scrolls away goes, what stays is not drawn anew. */
export const Numbered = <Item,>({items, start, children}: NumberedProps<Item>) =>
	items.map((item, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: where it stands in the whole is what it is.
		<Fragment key={start + index}>{children(item)}</Fragment>
	));

type LineProps = {readonly text: string; readonly left: number; readonly search: string; readonly tone: Tone};

export const TextLine = memo(({text, left, search, tone}: LineProps) => (
	// A text of nothing takes no row.
	<RichText line={markFound(dropColumns(text, left) || ' ', search, tone)} />
));
