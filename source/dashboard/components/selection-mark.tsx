import {Box} from 'ink';
import {SafeText} from './safe-text.tsx';

/** The column before a row that can be selected. */
export const SelectionMark = ({isSelected}: {readonly isSelected: boolean}) => (
	<Box width={1} flexShrink={0}>
		{isSelected ? <SafeText tone="accent">{'>'}</SafeText> : null}
	</Box>
);
