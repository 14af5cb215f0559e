import {Text, type TextProps} from 'ink';
import {createElement, memo} from 'react';
import {sanitizeProse} from '../../domain/sanitize.ts';
import {useTheme} from '../hooks/use-theme.ts';
import type {ColourToken, Line, Span} from '../parts/line.ts';
import {type Background, backgroundStyleOf, styleOf} from '../parts/theme.ts';

type Wrap = NonNullable<TextProps['wrap']>;
type TextOf = {
	readonly children: string;
	readonly tone?: ColourToken;
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
			{sanitizeProse(children)}
		</Text>
	);
});

type RichOf = {readonly line: Line; readonly wrap?: Wrap; readonly selection?: Background | undefined};

/** Text in several tones. `bar` is the background of the selected row, or of an added or removed line. */
export const RichText = memo(({line, wrap = 'truncate', selection}: RichOf) => {
	const theme = useTheme();
	const [only, ...others] = line;
	if (only !== undefined && others.length === 0 && selection === undefined)
		return (
			<SafeText tone={only.tone} wrap={wrap}>
				{only.text}
			</SafeText>
		);
	const style = selection === undefined ? {} : backgroundStyleOf(theme, selection);
	return createElement(Text, {wrap, ...style}, ...line.map(toText));
});

const toText = ({text, tone}: Span) => <SafeText tone={tone}>{text}</SafeText>;
