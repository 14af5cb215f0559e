import {Box} from 'ink';
import type {ComponentType} from 'react';
import {PaneContext} from '../hooks/use-pane.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {targetRef} from '../keys/target.ts';
import type {PaneProps} from '../panes/pane-props.ts';
import {layoutOf} from '../store/layout.ts';
import {focusedPane} from '../store/selectors.ts';
import type {PaneId} from '../store/state.ts';

export type PaneComponents = Readonly<Partial<Record<PaneId, ComponentType<PaneProps>>>>;

/** The panes of a tab that fit on the screen, side by side in bands. */
export const Bands = ({panes}: {readonly panes: PaneComponents}) => {
	const {bands} = useSelector(layoutOf);
	const focused = useSelector(focusedPane);
	return bands.map(band => (
		<Box key={band[0]?.pane ?? ''} flexShrink={0}>
			{band.map(({pane, area}) => {
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
	));
};
