import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {firstHelpRows, type HelpRow, helpRows, searchHelp} from '../keys/resolve.ts';
import {widthOf} from '../parts/cells.ts';
import {span} from '../parts/line.ts';
import {perObject} from '../store/memo.ts';
import type {ModeOf, Size} from '../store/state.ts';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {RichText, SafeText} from './safe-text.tsx';

const firstRowsOf = perObject(firstHelpRows);
const rowsOf = perObject(helpRows);
const groupWidth = 6;

type Props = {readonly mode: ModeOf<'help'>; readonly size: Size};

/**
 * The keys that matter first, then the others that work here, each with a sentence if there is room. With a
 * typed text, all keys that match it.
 */
export const Help = memo(({mode: {text}, size}: Props) => {
	const matterFirst = useSelector(firstRowsOf);
	const here = useSelector(rowsOf);
	const [first, others] = text === '' ? [matterFirst, here] : [noRows, searchHelp(text)];
	const rows = [...first, ...others];
	const room = dialogRoom(size) - 1;
	const width = Math.min(110, size.columns - 2);
	const groupsRoom = width - dialogFrame - groupWidth;
	const title = text === '' ? 'ten keys first, then the rest' : 'all keys';
	return (
		<DialogBox size={size} width={width} title={`Help · Esc closes · type to search · ${title}`}>
			{text === '' ? null : <RichText line={[span('/ ', 'accent'), span(text), span(' ', 'cursor')]} />}
			{rows.length <= room ? (
				<Sentences rows={rows} />
			) : first.length > 0 && first.length + groupsHeight(others, groupsRoom) <= room ? (
				<>
					<Sentences rows={first} />
					<Groups rows={others} />
				</>
			) : (
				<Groups rows={rows} />
			)}
			{rows.length === 0 ? (
				<SafeText tone="dim">No key has that name. The palette (:) has every command.</SafeText>
			) : null}
		</DialogBox>
	);
});

const noRows: readonly HelpRow[] = [];
/** Columns of the border and the padding on both sides. */
const dialogFrame = 4;
const groupGap = 2;

/** Rows of the short form, if its entries have this many columns. */
const groupsHeight = (rows: readonly HelpRow[], width: number): number =>
	groupsIn(rows).reduce((height, group) => {
		const widths = rows
			.filter(row => row.group === group)
			.map(({keys, label}) => widthOf(`${keys} ${label}`));
		let [lines, left] = [1, width];
		for (const one of widths) {
			if (one > left) [lines, left] = [lines + 1, width];
			left -= one + groupGap;
		}
		return height + lines;
	}, 0);

const groupsIn = (rows: readonly HelpRow[]): readonly HelpRow['group'][] => [
	...new Set(rows.map(({group}) => group)),
];

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
	groupsIn(rows).map(group => (
		<Box key={group} flexShrink={0} aria-role="listitem">
			<Box width={groupWidth} flexShrink={0}>
				<SafeText tone="dim">{group}</SafeText>
			</Box>
			<Box flexWrap="wrap" columnGap={groupGap} flexGrow={1} flexBasis={0}>
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
