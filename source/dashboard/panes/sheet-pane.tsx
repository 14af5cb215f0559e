import {memo} from 'react';
import {Diff} from '../components/diff.tsx';
import {Pane} from '../components/pane.tsx';
import {RichText} from '../components/safe-text.tsx';
import {Numbered} from '../components/text-window.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {useWindow} from '../hooks/use-text.ts';
import {keyLabel} from '../keys/resolve.ts';
import {bindings} from '../keys/table.ts';
import {clip, widthOf} from '../parts/cells.ts';
import {type Line, plainText, span} from '../parts/line.ts';
import {fitLine} from '../parts/row-line.ts';
import {markFound} from '../parts/search-marks.ts';
import type {SheetRow} from '../parts/sheet-rows.ts';
import {inside} from '../store/layout.ts';
import {sheetTitle} from '../store/sheet.ts';
import {type SheetDiff, shownSheetDiff} from '../store/sheet-diff.ts';
import {sheetCursor, shownSheetRows} from '../store/sheet-text.ts';
import type {PaneProps} from './pane-props.ts';

/**
 * What a person decides from, or where the selected task or trace stands. Enter unfolds the line at the
 * cursor. The diff takes the rows that are left.
 */
export const SheetPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const rows = useSelector(shownSheetRows);
	const cursor = useSelector(sheetCursor);
	const title = useSelector(sheetTitle);
	const diff = useSelector(shownSheetDiff);
	const {start, end, search} = useWindow('sheet');
	const position = rows.length > height ? ` · ${Math.min(end, rows.length)}/${rows.length}` : '';
	const found = search === '' ? '' : ` · /${search}`;
	const hidden = worstTone(rows.slice(end));
	const after = [span(position + found, 'strong'), ...hidden];
	const titleWidth = Math.max(0, width - titleBorder - widthOf(plainText(after)));
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<RichText line={[span(clip(title, titleWidth), 'strong'), ...after]} />}
		>
			<Numbered items={rows.slice(start, end)} start={start}>
				{({line}, index) => {
					const isAtCursor = isFocused && start + index === cursor;
					return (
						<RichText
							line={fitLine([span(isAtCursor ? '>' : ' ', 'accent'), ...withFound(line, search)], width)}
							selection={isAtCursor ? 'strong' : undefined}
						/>
					);
				}}
			</Numbered>
			{diff === undefined ? null : <DiffBelow diff={diff} width={width} />}
		</Pane>
	);
});

const DiffBelow = memo(({diff, width}: {readonly diff: SheetDiff; readonly width: number}) => {
	const colours = useSelector(state => state.review.colours);
	const {rows, digits, columns} = diff;
	return (
		<>
			<RichText line={fitLine(titleOf(diff, width), width)} />
			<Diff
				{...{rows, digits, columns, colours}}
				start={0}
				lastRoom={1}
				left={0}
				isWrapped={false}
				search=""
				chosen={nothingChosen}
				isFocused={false}
			/>
		</>
	);
});

const nothingChosen = [-1, -1] as const;

const diffKey = keyLabel(bindings.find(({action}) => action === 'diff.open')?.keys[0] ?? '');

/** Names the key that opens all of the diff, of which these are the first rows. */
const titleOf = ({rows, of}: SheetDiff, width: number): Line => {
	const part = rows.length < of ? `, first ${rows.length} of ${of} rows` : '';
	const words = [
		span('─ ', 'border'),
		span('Diff', 'strong'),
		span(part, 'dim'),
		span(` · ${diffKey} opens ${part === '' ? 'it' : 'all of it'} `),
	];
	return [...words, span('─'.repeat(Math.max(0, width - widthOf(plainText(words)))), 'border')];
};

/** Columns of the line and the spaces on both sides of a title. */
const titleBorder = 4;

const withFound = (row: Line, search: string): Line => {
	const text = plainText(row);
	return search !== '' && text.toLowerCase().includes(search.toLowerCase()) ? markFound(text, search) : row;
};

/** Says that red or amber lines are below the window. */
const worstTone = (below: readonly SheetRow[]): Line => {
	if (below.some(({tone}) => tone === 'bad')) return [span(' · ✗ below', 'bad')];
	return below.some(({tone}) => tone === 'warn') ? [span(' · ! below', 'accent')] : [];
};
