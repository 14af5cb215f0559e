import {Box} from 'ink';
import type {ReactNode} from 'react';
import {drawnRows, inside} from '../store/layout.ts';
import type {Size} from '../store/state.ts';
import {Pane, PaneTitle} from './pane.tsx';

/**
 * A colour name that Ink does not know. Ink fills such a background with plain spaces, so the panes below are
 * hidden.
 */
const opaque = 'none';

type OverlayProps = {readonly top: number; readonly width: number; readonly children: ReactNode};

/** A box over the panes. */
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

/** A titled box in the middle of the screen. Its height follows its content. */
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

/** Max rows in such a box: header, tabs and footer stay visible. */
export const dialogRoom = (size: Size): number =>
	Math.max(1, inside({width: 0, height: drawnRows(size) - 3}).height);
