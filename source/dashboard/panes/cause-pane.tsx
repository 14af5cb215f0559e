import {Box} from 'ink';
import {useState} from 'react';
import {Hints} from '../components/hints.tsx';
import {Pane, PaneTitle} from '../components/pane.tsx';
import {SafeText} from '../components/safe-text.tsx';
import {useSelector} from '../hooks/use-selector.ts';
import {type Hint, hintsFor} from '../keys/resolve.ts';
import {keepIfEqual} from '../store/memo.ts';
import type {CauseRow} from '../store/queue.ts';
import type {PaneProps} from './pane-props.ts';

/** A question, no change, a failure or a blocked task, and the possible actions. */
export const CausePane = ({area, isFocused, row}: PaneProps & {readonly row: CauseRow}) => {
	const {kind, title, sentence, actions, file, lastRows = []} = row.entry;
	const [unchanged] = useState(keepIfEqual<readonly Hint[]>);
	const ways = useSelector(state => unchanged(hintsFor(state, actions)));
	const lastOutput = formatLastOutput(row);
	return (
		<Pane area={area} isFocused={isFocused} title={<PaneTitle>{kind.replace('_', ' ')}</PaneTitle>}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1} rowGap={1}>
				<SafeText tone="strong" wrap="wrap">
					{title}
				</SafeText>
				<SafeText wrap="wrap">{sentence}</SafeText>
				{lastRows.length === 0 ? null : (
					<Box flexDirection="column">
						{numbered(lastRows).map(({text, key}) => (
							<SafeText key={key} tone="dim">
								{`  ${text}`}
							</SafeText>
						))}
					</Box>
				)}
				{lastOutput === '' ? null : <SafeText wrap="wrap">{lastOutput}</SafeText>}
				{kind === 'session' ? (
					<SafeText tone="dim">Enter opens the session.</SafeText>
				) : file === undefined ? (
					<Hints hints={ways} />
				) : (
					<SafeText tone="dim" wrap="wrap">
						Enter opens the file in your editor; "hive doctor" says how to fix it.
					</SafeText>
				)}
			</Box>
		</Pane>
	);
};

/** Rows of a screen may be the same, and their order is all that tells them apart. */
const numbered = (rows: readonly string[]) => rows.map((text, at) => ({text, key: String(at)}));

/** The last message of a run with a question. Empty if it is only the question. */
const formatLastOutput = ({entry, trace, about}: CauseRow): string => {
	if (entry.kind !== 'question') return '';
	const {summary = ''} = about.run ?? trace?.runs.get(about.task?.agentId ?? '') ?? {};
	return summary === '' || entry.sentence.includes(summary) ? '' : `It said: ${summary}`;
};
