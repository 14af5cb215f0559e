import {Box} from 'ink';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import type {CauseRow} from '../store/queue.ts';
import type {PaneProps} from './pane-props.ts';

/** What failed or is held up, and what can be done about it. */
export const CausePane = ({area, isFocused, row}: PaneProps & {readonly row: CauseRow}) => {
	const {kind, title, sentence, actions} = row.entry;
	const ways = actions.map(action => action.replaceAll('.', ' ')).join(', ');
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{kind}</PaneTitle>}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1} rowGap={1}>
				<SafeText tone="strong" wrap="wrap">
					{title}
				</SafeText>
				<SafeText wrap="wrap">{sentence}</SafeText>
				<SafeText tone="dim" wrap="wrap">
					{ways === '' ? 'Mend the file; "hive doctor" says how.' : `What you can do: ${ways}.`}
				</SafeText>
			</Box>
		</Pane>
	);
};
