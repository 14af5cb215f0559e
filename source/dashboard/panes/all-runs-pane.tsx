import {memo} from 'react';
import {EmptyList} from '../components/empty-list.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {RunsTable} from '../components/runs-table.tsx';
import {useList} from '../hooks/use-list.ts';
import {inside} from '../store/layout.ts';
import {allRunList} from '../store/selectors.ts';
import type {PaneProps} from './pane-props.ts';

/** The runs of all traces. */
export const AllRunsPane = memo(({area, isFocused}: PaneProps) => {
	const {width, height} = inside(area);
	const {all, rows, selected, filter, place: position} = useList('allRuns', allRunList, height - 2);
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{`Runs ${position}`}</PaneTitle>}>
			{all.length === 0 ? (
				<EmptyList filter={filter} otherwise={['No runs yet.', 'c runs a cue.']} />
			) : (
				<RunsTable
					all={all}
					rows={rows}
					selected={selected}
					width={width}
					isFocused={isFocused}
					areOfTask={false}
				/>
			)}
		</Pane>
	);
});
