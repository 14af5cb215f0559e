import {Box} from 'ink';
import type {ReactNode} from 'react';
import {useTheme} from '../hooks/use-theme.ts';
import {styleOf} from '../parts/theme.ts';
import type {Area} from '../store/layout.ts';
import {SafeText} from './safe-text.tsx';

type Props = {
	/** Shown in the upper border. The parts that may shrink are cut if there is no room. */
	readonly title: ReactNode;
	/** Columns and rows including the border. Without a height it follows the content. */
	readonly area: Pick<Area, 'width'> & Partial<Area>;
	readonly isFocused: boolean;
	/** The label for screen readers. */
	readonly label?: string;
	readonly padding?: number;
	readonly children?: ReactNode;
};

/** A bordered part of the screen with a title. */
export const Pane = ({title, area, isFocused, padding = 0, children}: Props) => {
	const theme = useTheme();
	const tone = isFocused ? 'focus' : 'border';
	const {color, dimColor = false} = styleOf(theme, tone);
	const border = {
		borderStyle: 'single' as const,
		borderDimColor: dimColor,
		...(color === undefined ? {} : {borderColor: color}),
	};
	return (
		<Box flexDirection="column" flexShrink={0} {...area}>
			<Box flexShrink={0} height={1}>
				<Box flexShrink={0} aria-hidden>
					<SafeText tone={tone}>┌─ </SafeText>
				</Box>
				{title}
				<Box
					{...border}
					aria-hidden
					borderBottom={false}
					borderLeft={false}
					borderRight={false}
					flexBasis={0}
					flexGrow={1}
					height={1}
					marginLeft={1}
					minWidth={1}
				/>
				<Box flexShrink={0} aria-hidden>
					<SafeText tone={tone}>┐</SafeText>
				</Box>
			</Box>
			<Box {...border} borderTop={false} flexDirection="column" flexGrow={1} paddingLeft={padding}>
				{children}
			</Box>
		</Box>
	);
};

/** A title of one text, cut if there is no room. */
export const PaneTitle = ({children}: {readonly children: string}) => (
	<SafeText tone="strong">{children}</SafeText>
);
