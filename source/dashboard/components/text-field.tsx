import {Box} from 'ink';
import type {TextInput} from '../forms/text-input.ts';
import {clip, dropColumns, widthOf} from '../parts/cells.ts';
import {span} from '../parts/line.ts';
import {RichText, SafeText} from './safe-text.tsx';

type Props = {
	readonly label: string;
	readonly input: TextInput;
	readonly isFocused: boolean;
	readonly width: number;
};

/** One line of text that is being written: the part around the cursor, where it does not fit. */
export const TextField = ({label, input: {text, cursor}, isFocused, width}: Props) => {
	const room = Math.max(4, width - widthOf(label) - 2);
	const start = Math.max(0, widthOf(text.slice(0, cursor)) - room + 1);
	const visible = dropColumns(text, start);
	const at = cursor - (text.length - visible.length);
	const rest = room - at - 1;
	const spans = isFocused
		? [
				span(visible.slice(0, at)),
				span(visible.slice(at, at + 1) || ' ', 'cursor'),
				span(underscored(clip(visible.slice(at + 1), rest), rest)),
			]
		: [span(underscored(clip(visible, room), room))];
	return (
		<Box height={1} flexShrink={0} columnGap={1} aria-role="textbox" aria-state={{selected: isFocused}}>
			<Box flexShrink={0}>
				<SafeText tone={isFocused ? 'accent' : 'dim'}>{label}</SafeText>
			</Box>
			<RichText line={spans} />
		</Box>
	);
};

const underscored = (text: string, width: number): string =>
	text + '_'.repeat(Math.max(0, width - widthOf(text)));
