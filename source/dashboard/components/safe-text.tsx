import {Text, type TextProps} from 'ink';
import {createElement, memo} from 'react';
import {sanitizeWords} from '../../domain/sanitize.ts';
import {useTheme} from '../hooks/use-theme.ts';
import type {Line, Span, Tone} from '../parts/line.ts';
import {type Ground, groundStyleOf, styleOf} from '../parts/look.ts';

type Wrap = NonNullable<TextProps['wrap']>;
type TextOf = {
	readonly children: string;
	readonly tone?: Tone;
	readonly wrap?: Wrap;
	readonly 'aria-label'?: string;
};

/**
 * The one door to the screen: all text of agents, files and people is sanitized here, and no other component
 * draws text.
 */
export const SafeText = memo(({children, tone = 'plain', wrap = 'truncate', ...labels}: TextOf) => {
	const theme = useTheme();
	return (
		<Text {...styleOf(theme, tone)} {...labels} wrap={wrap}>
			{sanitizeWords(children)}
		</Text>
	);
});

type RichOf = {readonly line: Line; readonly wrap?: Wrap; readonly bar?: Ground | undefined};

/** Text in several tones. `bar` is the background of the selected row, or of an added or removed line. */
export const RichText = memo(({line, wrap = 'truncate', bar}: RichOf) => {
	const theme = useTheme();
	const [only, ...others] = line;
	if (only !== undefined && others.length === 0 && bar === undefined)
		return (
			<SafeText tone={only.tone} wrap={wrap}>
				{only.text}
			</SafeText>
		);
	const style = bar === undefined ? {} : groundStyleOf(theme, bar);
	return createElement(Text, {wrap, ...style}, ...line.map(toText));
});

const toText = ({text, tone}: Span) => <SafeText tone={tone}>{text}</SafeText>;
