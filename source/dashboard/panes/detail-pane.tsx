import {memo} from 'react';
import {taskName, traceName} from '../../host/views/name.ts';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RichText, SafeText} from '../components/safe-text.tsx';
import {Numbered} from '../components/text-window.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {useText} from '../hooks/use-text.ts';
import {type Line, span} from '../parts/line.ts';
import {markFound} from '../parts/search-marks.ts';
import {type DetailView, detailView} from '../store/detail.ts';
import type {DetailRow} from '../store/detail-rows.ts';
import {rowsOfDetail} from '../store/texts.ts';
import type {PaneProps} from './pane-props.ts';

/** One tab of the details of a task, a run or a trace. */
export const DetailPane = memo(({area, isFocused}: PaneProps) => {
	const view = useSelector(detailView);
	const rows = useSelector(rowsOfDetail);
	const {start, end, search} = useText('detail');
	const isPast = useSelector(({past}) => past !== undefined);
	return (
		<Pane
			area={area}
			isFocused={isFocused}
			title={<PaneTitle>{`${titleOfView(view, isPast)}${search === '' ? '' : ` · /${search}`}`}</PaneTitle>}
		>
			{view === undefined ? <SafeText tone="dim"> Esc goes back to the lists.</SafeText> : null}
			<Numbered items={rows.slice(start, end)} start={start}>
				{row => <DetailLine row={row} search={search} />}
			</Numbered>
		</Pane>
	);
});

const titleOfView = (view: DetailView | undefined, isPast: boolean): string => {
	if (view === undefined) return isPast ? 'It was not there yet' : 'It is gone';
	const {trace, task} = view;
	return [...new Set([...(task ? [taskName(task)] : []), traceName(trace)])].join(' · ');
};

const DetailLine = memo(({row, search}: {readonly row: DetailRow; readonly search: string}) => (
	<RichText line={lineOf(row, search)} />
));

/** An empty text takes no row. */
const lineOf = ({text, named, tone}: DetailRow, search: string): Line => [
	span(` ${text.slice(0, named)}`, 'dim'),
	...markFound(text.slice(named) || ' ', search, tone),
];
