import {Box} from 'ink';
import type {ReactNode} from 'react';
import {drawnRows, inside} from '../store/layout.ts';
import type {Size} from '../store/state.ts';
import {Pane, PaneTitle} from './pane.tsx';

/**
 * No colour that Ink knows: it fills such a background with plain spaces, and what is below does not shine
 * through.
 */
const opaque = 'none';

type OverlayProps = {readonly top: number; readonly width: number; readonly children: ReactNode};

/** Rows over the panes. */
export const Overlay = ({top, width, children}: OverlayProps) => (
	<Box position="absolute" marginTop={top} width={width}>
		<Box backgroundColor={opaque} flexDirection="column" flexShrink={0} width={width}>
			{children}
		</Box>
	</Box>
);

type DialogBoxProps = {
	readonly size: Size;
	readonly width: number;
	readonly title: string;
	readonly children: ReactNode;
};

/** A titled box in the middle of the screen, as high as what is in it. */
export const DialogBox = ({size, width, title, children}: DialogBoxProps) => (
	<Box
		position="absolute"
		width={size.columns}
		height={drawnRows(size)}
		alignItems="center"
		justifyContent="center"
	>
		<Box backgroundColor={opaque} flexDirection="column" flexShrink={0} width={width}>
			<Pane area={{width}} isFocused padding={1} title={<PaneTitle>{title}</PaneTitle>}>
				{children}
			</Pane>
		</Box>
	</Box>
);

/** The most that fits into such a box: header, tabs and keys stay to be seen. */
export const dialogRoom = (size: Size): number =>
	Math.max(1, inside({width: 0, height: drawnRows(size) - 3}).height);
