import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {span} from '../parts/line.ts';
import {detailTabs, shownTab} from '../store/detail.ts';
import {RichText} from './safe-text.tsx';

/** The tabs of the open detail. */
export const DetailTabs = memo(() => {
	const tabs = useSelector(detailTabs);
	const shown = useSelector(shownTab);
	return (
		<Box height={1} flexShrink={0} aria-role="tablist">
			{tabs.map(({id, title}) => {
				const isShown = id === shown;
				return (
					<Box key={id} flexShrink={0} aria-role="tab" aria-state={{selected: isShown}} aria-label={title}>
						<RichText
							line={[
								span(isShown ? '[' : ' ', 'accent'),
								span(title, isShown ? 'strong' : 'plain'),
								span(isShown ? ']' : ' ', 'accent'),
							]}
						/>
					</Box>
				);
			})}
		</Box>
	);
});
