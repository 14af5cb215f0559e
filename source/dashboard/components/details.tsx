import {memo} from 'react';
import type {ModeOf, Size} from '../store/state.ts';
import {wrapLine} from './dialog.tsx';
import {Lines} from './lines.tsx';
import {DialogBox, dialogRoom} from './overlay.tsx';

type Props = {readonly mode: ModeOf<'details'>; readonly size: Size};

/** A box with a longer text that scrolls. */
export const Details = memo(({mode: {title, lines, top}, size}: Props) => {
	const width = size.columns - 4;
	const height = dialogRoom(size);
	const rows = lines.flatMap(content => wrapLine(content, width - 4));
	const start = Math.min(top, Math.max(0, rows.length - height));
	return (
		<DialogBox size={size} width={width} title={`${title} · y copies · Esc closes`}>
			<Lines lines={rows.slice(start, start + height)} />
		</DialogBox>
	);
});
