import {memo} from 'react';
import {useTheme} from '../hooks/use-theme.ts';
import type {Line} from '../parts/line.ts';
import {fitLine} from '../parts/row-line.ts';
import {type Background, tokenOnBackground} from '../parts/theme.ts';
import {RichText} from './safe-text.tsx';

type Props = {readonly line: Line; readonly ground: Background | undefined; readonly width: number};

/** A row of text. With a background a row fills its width; without one it ends with its text. */
export const Row = memo(({line: content, ground: background, width}: Props) => {
	const theme = useTheme();
	const fittedCode = fitLine(content, width);
	const line =
		background === undefined
			? fittedCode
			: fittedCode.map(({text, tone}) => ({text, tone: tokenOnBackground(theme, background, tone)}));
	return <RichText line={line} selection={background} />;
});
