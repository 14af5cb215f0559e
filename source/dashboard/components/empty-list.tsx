import {Box} from 'ink';
import {SafeText} from './safe-text.tsx';

type Props = {readonly filter: string; readonly otherwise: readonly string[]};

/** The text of an empty list: the reason, and what to press or run next. */
export const EmptyList = ({filter, otherwise}: Props) => {
	const [reason = '', ...next] =
		filter === '' ? otherwise : [`Nothing matches "${filter}".`, 'Esc clears the filter.'];
	return (
		<Box flexDirection="column" paddingLeft={2} paddingTop={1}>
			<SafeText wrap="wrap">{reason}</SafeText>
			{next.map(text => (
				<SafeText key={text} tone="dim" wrap="wrap">
					{text}
				</SafeText>
			))}
		</Box>
	);
};
