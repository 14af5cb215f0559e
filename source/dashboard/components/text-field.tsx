import {Box} from 'ink';
import {widthOf} from '../parts/cells.ts';
import {type Grapheme, graphemes} from '../parts/graphemes.ts';
import {span} from '../parts/line.ts';
import type {TextInput} from '../store/form.ts';
import {RichText, SafeText} from './safe-text.tsx';

type Props = {
	readonly label: string;
	readonly input: TextInput;
	readonly isFocused: boolean;
	readonly width: number;
};

/** A text field of one line. If the text does not fit, the part around the cursor is shown. */
export const TextField = ({label, input: {text, cursor}, isFocused, width}: Props) => {
	const room = Math.max(4, width - widthOf(label) - 2);
	const characters = graphemes(text);
	const before = fromEnd(
		characters.filter(({index}) => index < cursor),
		room - 2,
	);
	const [under, ...after] = characters.filter(({index}) => index >= cursor);
	const left = room - columnsOf(before) - (under?.width ?? 1);
	const rest = fromStart(isFocused || under === undefined ? after : [under, ...after], left);
	const line = underscored(textOf(rest), Math.max(0, left - columnsOf(rest)));
	return (
		<Box height={1} flexShrink={0} columnGap={1} aria-role="textbox" aria-state={{selected: isFocused}}>
			<Box flexShrink={0}>
				<SafeText tone={isFocused ? 'accent' : 'dim'}>{label}</SafeText>
			</Box>
			<RichText
				line={
					isFocused
						? [span(textOf(before)), span(under?.shown || ' ', 'cursor'), span(line)]
						: [span(textOf(before) + line)]
				}
			/>
		</Box>
	);
};

const textOf = (characters: readonly Grapheme[]): string => characters.map(({shown}) => shown).join('');
const columnsOf = (characters: readonly Grapheme[]): number =>
	characters.reduce((sum, {width}) => sum + width, 0);

/** The first characters that fit. */
const fromStart = (characters: readonly Grapheme[], room: number): readonly Grapheme[] => {
	let left = room;
	const cut = characters.findIndex(({width}) => {
		left -= width;
		return left < 0;
	});
	return cut < 0 ? characters : characters.slice(0, cut);
};

/** The last characters that fit. */
const fromEnd = (characters: readonly Grapheme[], room: number): readonly Grapheme[] =>
	fromStart(characters.toReversed(), room).toReversed();

const underscored = (text: string, width: number): string => text + '_'.repeat(width);
