import {Box} from 'ink';
import {widthOf} from '../parts/cells.ts';
import {windowAround} from '../parts/window.ts';
import {type Form, isVerticalList} from '../store/form.ts';
import {SafeText} from './safe-text.tsx';

type Props = Omit<NonNullable<Form['choices']>, 'name'> & {
	readonly isFocused: boolean;
	/** Rows, if each option has its own. */
	readonly height: number;
};

/** A choice of one option. Options are side by side, or below each other if they have notes. */
export const Choices = ({options, selected, isFocused, height}: Props) => {
	const isList = isVerticalList({options});
	const widest = Math.max(...options.map(({label}) => widthOf(label)));
	const {start, end} = isList
		? windowAround(selected, options.length, height)
		: {start: 0, end: options.length};
	return (
		<Box flexShrink={0} columnGap={3} flexDirection={isList ? 'column' : 'row'} aria-role="radiogroup">
			{options.slice(start, end).map(({label, note}) => {
				const isSelected = label === options[selected]?.label;
				return (
					<Box key={label} height={1} flexShrink={0} aria-role="radio" aria-state={{checked: isSelected}}>
						<Box flexShrink={0}>
							<SafeText tone={isSelected ? 'accent' : 'plain'}>{isSelected ? '(•) ' : '( ) '}</SafeText>
						</Box>
						<Box flexShrink={0} {...(isList ? {width: widest + 3} : {})}>
							<SafeText tone={isSelected && isFocused ? 'strong' : 'plain'}>{label}</SafeText>
						</Box>
						{note === undefined ? null : <SafeText tone="dim">{note}</SafeText>}
					</Box>
				);
			})}
		</Box>
	);
};
