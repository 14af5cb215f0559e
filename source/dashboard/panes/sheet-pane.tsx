import {memo} from 'react';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RichText} from '../components/safe-text.tsx';
import {Numbered} from '../components/text-window.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {useText} from '../hooks/use-text.ts';
import {type Line, plainText, span} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {rowsOfSheet, sheetTitle} from '../store/sheet.ts';
import type {PaneProps} from './pane-props.ts';

/** What a person decides from, or where the selected task or trace stands. */
export const SheetPane = memo(({area, isFocused}: PaneProps) => {
	const title = useSelector(sheetTitle);
	const rows = useSelector(rowsOfSheet);
	const {start, end, search} = useText('sheet');
	const found = search === '' ? '' : ` · /${search}`;
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{`${title}${found}`}</PaneTitle>}>
			<Numbered items={rows.slice(start, end)} start={start}>
				{row => <SheetRow row={row} search={search} />}
			</Numbered>
		</Pane>
	);
});

const SheetRow = memo(({row, search}: {readonly row: Line; readonly search: string}) => {
	const text = plainText(row);
	const isFound = search !== '' && text.toLowerCase().includes(search.toLowerCase());
	return <RichText line={[span(' '), ...(isFound ? markFound(text, search) : row)]} />;
});
