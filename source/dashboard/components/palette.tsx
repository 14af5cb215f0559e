import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {type PaletteRow, paletteRows} from '../keys/palette.ts';
import {span} from '../parts/line.ts';
import {windowAround} from '../parts/window.ts';
import {memoized} from '../store/memo.ts';
import type {ModeOf, Size} from '../store/state.ts';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {RichText, SafeText} from './safe-text.tsx';
import {SelectionMark} from './selection-mark.tsx';

const rowsFor = memoized(paletteRows);
const maxRows = 14;
const keyWidth = 7;
/** Share of the width for the key and the help. The rest is for the command. */
const helpShare = 0.55;
/** From this many columns a row has room for its command. */
const roomForCommands = 82;

type Props = {readonly mode: ModeOf<'palette'>; readonly size: Size};

/** All actions and commands by name. The equivalent command is shown if there is room. */
export const Palette = memo(({mode: {text, selected}, size}: Props) => {
	const rows = useSelector(state => rowsFor(state, text));
	const width = Math.min(140, size.columns - 2);
	const helpWidth = width > roomForCommands ? Math.floor(width * helpShare) - keyWidth : undefined;
	const {start, end} = windowAround(selected, rows.length, Math.min(maxRows, dialogRoom(size) - 2));
	return (
		<DialogBox size={size} width={width} title="Palette · Enter runs · Esc closes">
			<RichText line={[span(': ', 'accent'), span(text), span(' ', 'cursor')]} />
			<Box flexDirection="column" flexShrink={0} aria-role="menu">
				{rows.slice(start, end).map(row => (
					<PaletteItem key={row.id} row={row} isSelected={row === rows[selected]} helpWidth={helpWidth} />
				))}
			</Box>
			{rows.length === 0 ? <SafeText tone="dim">No action has that name.</SafeText> : null}
		</DialogBox>
	);
});

type ItemProps = {
	readonly row: PaletteRow;
	readonly isSelected: boolean;
	/** Absent if there is no room for a command beside it. */
	readonly helpWidth: number | undefined;
};

const PaletteItem = ({row: {key, label, help, reason, command = ''}, isSelected, helpWidth}: ItemProps) => (
	<Box
		height={1}
		flexShrink={0}
		aria-role="menuitem"
		aria-state={{selected: isSelected, disabled: reason !== undefined}}
	>
		<SelectionMark isSelected={isSelected} />
		<Box width={keyWidth} flexShrink={0}>
			<SafeText tone={reason === undefined ? 'accent' : 'dim'}>{key}</SafeText>
		</Box>
		{reason === undefined ? (
			<Box {...(helpWidth === undefined ? {} : {flexShrink: 0, width: helpWidth, marginRight: 1})}>
				<SafeText>{help}</SafeText>
			</Box>
		) : (
			<Box width={15} flexShrink={0}>
				<SafeText tone="dim">{label}</SafeText>
			</Box>
		)}
		<SafeText tone="dim">{reason ?? (helpWidth === undefined ? '' : command)}</SafeText>
	</Box>
);
