import {Box} from 'ink';
import {areaMark} from '../forms/text-area.ts';
import {type Line, span} from '../parts/line.ts';
import {rowOf, type TextRow} from '../parts/text-rows.ts';
import {windowAround} from '../parts/window.ts';
import {RichText, SafeText} from './safe-text.tsx';
import {Numbered} from './text-window.tsx';

type Props = {
	readonly label: string;
	/** The rows of its whole text. */
	readonly rows: readonly TextRow[];
	/** Offset in the text. */
	readonly cursor: number;
	readonly isFocused: boolean;
	/** Rows below the label. */
	readonly height: number;
};

/** A text field of several lines. If not all rows fit, those around the cursor are shown. */
export const TextArea = ({label, rows, cursor, isFocused, height}: Props) => {
	const at = rowOf(rows, cursor);
	const {start} = windowAround(at, rows.length, height);
	const shown = Array.from({length: height}, (_, index) => rows[start + index]);
	const position = rows.length > height ? ` ${at + 1}/${rows.length}` : '';
	return (
		<Box flexDirection="column" flexShrink={0} aria-role="textbox" aria-state={{selected: isFocused}}>
			<RichText line={[span(label, isFocused ? 'accent' : 'dim'), span(position, 'dim')]} />
			<Numbered items={shown} start={start}>
				{(row, index) => (
					<Box height={1} flexShrink={0}>
						<Box width={areaMark} flexShrink={0} aria-hidden>
							<SafeText tone={isFocused ? 'focus' : 'border'}>│</SafeText>
						</Box>
						{row === undefined ? null : (
							<RichText line={rowSpans(row, isFocused && start + index === at ? cursor : undefined)} />
						)}
					</Box>
				)}
			</Numbered>
		</Box>
	);
};

/** A row with the cursor on one of its characters, or after them. */
const rowSpans = ({graphemes}: TextRow, cursor: number | undefined): Line => {
	const shownOf = (characters: typeof graphemes): string => characters.map(({shown}) => shown).join('');
	if (cursor === undefined) return [span(shownOf(graphemes) || ' ')];
	const [under, ...after] = graphemes.filter(({index}) => index >= cursor);
	return [
		span(shownOf(graphemes.filter(({index}) => index < cursor))),
		span(under?.shown || ' ', 'cursor'),
		span(shownOf(after)),
	];
};
