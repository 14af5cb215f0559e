import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {type HelpRow, helpRows, searchHelp} from '../keys/resolve.ts';
import {widthOf} from '../parts/cells.ts';
import {span} from '../parts/line.ts';
import {perObject} from '../store/memo.ts';
import type {ModeOf, Size} from '../store/state.ts';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {RichText, SafeText} from './safe-text.tsx';

const rowsOf = perObject(helpRows);
const groupWidth = 6;

type Props = {readonly mode: ModeOf<'help'>; readonly size: Size};

/**
 * The keys that work here, each with a sentence if there is room. With a typed text, all keys that match it.
 */
export const Help = memo(({mode: {text}, size}: Props) => {
	const here = useSelector(rowsOf);
	const rows = text === '' ? here : searchHelp(text);
	const room = dialogRoom(size) - 1;
	return (
		<DialogBox
			size={size}
			width={Math.min(110, size.columns - 2)}
			title={`Help · Esc closes · type to search · ${text === '' ? 'the keys that work here' : 'all keys'}`}
		>
			{text === '' ? null : <RichText line={[span('/ ', 'accent'), span(text), span(' ', 'cursor')]} />}
			{rows.length <= room ? <Sentences rows={rows} /> : <Groups rows={rows} />}
			{rows.length === 0 ? (
				<SafeText tone="dim">No key has that name. The palette (:) has every command.</SafeText>
			) : null}
		</DialogBox>
	);
});

type RowsProps = {readonly rows: readonly HelpRow[]};

const Sentences = ({rows}: RowsProps) => {
	const keysWidth = 2 + Math.max(...rows.map(({keys}) => widthOf(keys)));
	return rows.map(({group, keys, help}, index) => (
		<Box key={`${keys} ${help}`} height={1} flexShrink={0} aria-role="listitem">
			<Box width={groupWidth} flexShrink={0}>
				<SafeText tone="dim">{rows[index - 1]?.group === group ? '' : group}</SafeText>
			</Box>
			<Box width={keysWidth} flexShrink={0}>
				<SafeText tone="accent">{keys}</SafeText>
			</Box>
			<SafeText>{help}</SafeText>
		</Box>
	));
};

/** The short form: keys and labels only, as many as fit in a row. */
const Groups = ({rows}: RowsProps) =>
	[...new Set(rows.map(({group}) => group))].map(group => (
		<Box key={group} flexShrink={0} aria-role="listitem">
			<Box width={groupWidth} flexShrink={0}>
				<SafeText tone="dim">{group}</SafeText>
			</Box>
			<Box flexWrap="wrap" columnGap={2} flexGrow={1} flexBasis={0}>
				{rows
					.filter(row => row.group === group)
					.map(({keys, label, help}) => (
						<Box key={`${keys} ${help}`} flexShrink={0} columnGap={1}>
							<SafeText tone="accent">{keys}</SafeText>
							<SafeText>{label}</SafeText>
						</Box>
					))}
			</Box>
		</Box>
	));
