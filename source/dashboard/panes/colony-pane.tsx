import {Box} from 'ink';
import {memo} from 'react';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {TextWindow} from '../components/text-window.tsx';
import {useText} from '../hooks/use-text.ts';
import type {ColourToken} from '../parts/line.ts';
import type {PaneProps} from './pane-props.ts';

/** The bees, the cues, and their problems. */
export const ColonyPane = memo(({area, isFocused}: PaneProps) => {
	const {all, start, end, left, search} = useText('colony');
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>Colony</PaneTitle>}>
			<Box flexDirection="column" paddingLeft={1}>
				<TextWindow lines={all.slice(start, end)} start={start} left={left} search={search} toneOf={toneOf} />
			</Box>
		</Pane>
	);
});

const toneOf = (text: string): ColourToken => (text.startsWith('  ') ? 'plain' : 'strong');
