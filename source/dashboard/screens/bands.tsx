import {Box} from 'ink';
import type {ComponentType} from 'react';
import {PaneContext} from '../hooks/use-pane.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {targetRef} from '../keys/target.ts';
import type {PaneProps} from '../panes/pane-props.ts';
import {type Layout, layoutOf} from '../store/layout.ts';
import {perObject} from '../store/memo.ts';
import {focusedPane} from '../store/selectors.ts';
import type {PaneId} from '../store/state.ts';

export type PaneComponents = Readonly<Partial<Record<PaneId, ComponentType<PaneProps>>>>;

/** The panes of a tab that fit on the screen: bands below each other, each of columns. */
export const Bands = ({panes}: {readonly panes: PaneComponents}) => {
	const {bands} = useSelector(layoutOf);
	const focused = useSelector(focusedPane);
	return bands.map(band => (
		<Box key={band[0]?.pane ?? ''} flexShrink={0}>
			{columnsOf(band).map(column => (
				<Box key={column[0]?.pane ?? ''} flexDirection="column" flexShrink={0}>
					{column.map(({pane, area}) => {
						const Component = panes[pane];
						return Component ? (
							<PaneContext key={pane} value={pane}>
								<Box ref={targetRef({kind: 'pane', pane})} flexShrink={0}>
									<Component area={area} isFocused={pane === focused} />
								</Box>
							</PaneContext>
						) : null;
					})}
				</Box>
			))}
		</Box>
	));
};

type Band = Layout['bands'][number];

const columnsOf = perObject((band: Band): readonly Band[] => {
	const columns: Band[number][][] = [];
	for (const placed of band) {
		const last = columns.at(-1);
		if (placed.isBelow && last) last.push(placed);
		else columns.push([placed]);
	}
	return columns;
});
