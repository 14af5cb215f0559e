import {Box, Spacer} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {targetRef} from '../keys/target.ts';
import {span} from '../parts/line.ts';
import {waitingCount} from '../store/queue.ts';
import {openSessionCount} from '../store/sessions.ts';
import {type Tab, tabs} from '../store/state.ts';
import {RichText, SafeText} from './safe-text.tsx';

const names: Readonly<Record<Tab, readonly [long: string, short: string]>> = {
	traces: ['Traces', 'Tra'],
	runs: ['Runs', 'Run'],
	review: ['Review', 'Rev'],
	events: ['Events', 'Evt'],
	sessions: ['Sessions', 'Ses'],
	colony: ['Colony', 'Col'],
};

const countText = (count: number): string => (count === 0 ? '' : `(${count > 999 ? '999+' : count})`);

/** The tabs, with the number of causes that need a person, and of open sessions. */
export const Tabs = memo(({isWide}: {readonly isWide: boolean}) => {
	const openTab = useSelector(state => state.tab);
	const counts: Partial<Record<Tab, number>> = {
		review: useSelector(waitingCount),
		sessions: useSelector(openSessionCount),
	};
	return (
		<Box height={1} flexShrink={0} paddingLeft={1} columnGap={isWide ? 1 : 0} aria-role="tablist">
			{tabs.map((tab, index) => {
				const isOpen = tab === openTab;
				const [long, short] = names[tab];
				const count = countText(counts[tab] ?? 0);
				const name = isWide ? `${index + 1} ${long}` : `${index + 1}${short}`;
				return (
					<Box
						key={tab}
						ref={targetRef({kind: 'tab', tab})}
						flexShrink={0}
						aria-role="tab"
						aria-state={{selected: isOpen}}
						aria-label={long + count}
					>
						<RichText
							line={[
								span(isOpen ? '[' : ' ', 'accent'),
								span(name, isOpen ? 'strong' : 'plain'),
								span(count, 'accent'),
								span(isOpen ? ']' : ' ', 'accent'),
							]}
						/>
					</Box>
				);
			})}
			<Spacer />
			<SafeText tone="dim">{isWide ? ': palette  ? help ' : ': cmds  ? help '}</SafeText>
		</Box>
	);
});
