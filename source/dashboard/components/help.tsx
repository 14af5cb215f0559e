import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {type HelpRow, helpRows} from '../keys/resolve.ts';
import {widthOf} from '../parts/cells.ts';
import {perObject} from '../store/memo.ts';
import type {Size} from '../store/state.ts';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {SafeText} from './safe-text.tsx';

const rowsOf = perObject(helpRows);
const groupWidth = 6;

/** The keys that work here, with a sentence each where there is room. */
export const Help = memo(({size}: {readonly size: Size}) => {
	const rows = useSelector(rowsOf);
	return (
		<DialogBox
			size={size}
			width={Math.min(76, size.columns - 2)}
			title="Help · the keys that work here · Esc closes"
		>
			{rows.length <= dialogRoom(size) - 1 ? <Sentences rows={rows} /> : <Groups rows={rows} />}
		</DialogBox>
	);
});

type RowsProps = {readonly rows: readonly HelpRow[]};

const Sentences = ({rows}: RowsProps) => {
	const keysWidth = 2 + Math.max(...rows.map(({keys}) => widthOf(keys)));
	return rows.map(({group, keys, help}, index) => (
		<Box key={keys} height={1} flexShrink={0} aria-role="listitem">
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

/** Where sentences do not fit: keys and names, as many as a row holds. */
const Groups = ({rows}: RowsProps) =>
	[...new Set(rows.map(({group}) => group))].map(group => (
		<Box key={group} flexShrink={0} aria-role="listitem">
			<Box width={groupWidth} flexShrink={0}>
				<SafeText tone="dim">{group}</SafeText>
			</Box>
			<Box flexWrap="wrap" columnGap={2} flexGrow={1} flexBasis={0}>
				{rows
					.filter(row => row.group === group)
					.map(({keys, label}) => (
						<Box key={keys} flexShrink={0} columnGap={1}>
							<SafeText tone="accent">{keys}</SafeText>
							<SafeText>{label}</SafeText>
						</Box>
					))}
			</Box>
		</Box>
	));
