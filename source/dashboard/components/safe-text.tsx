import {Text, type TextProps} from 'ink';
import {createElement, memo} from 'react';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {useTheme} from '../hooks/use-theme.ts';
import type {Line, Span, Tone} from '../parts/line.ts';
import {styleOf} from '../parts/look.ts';

type Wrap = NonNullable<TextProps['wrap']>;
type TextOf = {
	readonly children: string;
	readonly tone?: Tone;
	readonly wrap?: Wrap;
	readonly 'aria-label'?: string;
};

/** The one door to the screen: whatever text an agent, a file or a person wrote is sanitized here, and nothing else draws text. */
export const SafeText = memo(({children, tone = 'plain', wrap = 'truncate', ...labels}: TextOf) => {
	const theme = useTheme();
	return (
		<Text {...styleOf(theme, tone)} {...labels} wrap={wrap}>
			{sanitizeLine(children)}
		</Text>
	);
});

/** A text in several tones. */
export const RichText = memo(({line, wrap = 'truncate'}: {readonly line: Line; readonly wrap?: Wrap}) => {
	const [only, ...others] = line;
	if (only !== undefined && others.length === 0)
		return (
			<SafeText tone={only.tone} wrap={wrap}>
				{only.text}
			</SafeText>
		);
	return createElement(Text, {wrap}, ...line.map(toText));
});

const toText = ({text, tone}: Span) => <SafeText tone={tone}>{text}</SafeText>;
