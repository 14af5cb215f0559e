import {Box} from 'ink';
import {memo} from 'react';
import {useSelector} from '../hooks/use-selector.ts';
import {footerHints, type Hint} from '../keys/resolve.ts';
import {type Form, isVerticalList} from '../store/form.ts';
import {keepIfEqual, perObject} from '../store/memo.ts';
import type {ModeOf, State} from '../store/state.ts';
import {Hints} from './hints.tsx';

/** The keys that work now. */
export const Footer = memo(() => {
	const hints = useSelector(hintsOf);
	return (
		<Box height={1} flexShrink={0} paddingLeft={1} aria-role="toolbar">
			<Hints hints={hints} />
		</Box>
	);
});

const hintsOf = perObject((state: State): readonly Hint[] => {
	const {mode, size} = state;
	if (mode.kind === 'browse') return isPassthrough(footerHints(state, size.columns - 2));
	if (mode.kind === 'form') return isPassthrough(formHints(mode.form, size.columns));
	return mode.kind === 'talk' ? isPassthrough(passthroughHints(mode)) : modeHints[mode.kind];
});

/** Keeps the last hints if they are equal, so that the footer is not redrawn on every change of state. */
const isPassthrough = keepIfEqual<readonly Hint[]>();

/** From this many columns there is room for all hints. */
const roomForHints = 72;

const formHints = ({fields, choices, focus}: Form, columns: number): readonly Hint[] => [
	{key: 'Tab', label: 'next'},
	...(choices && focus === fields.length
		? [{key: isVerticalList(choices) ? '↑↓' : '←→', label: 'choose'}]
		: []),
	...(fields[focus] && columns >= roomForHints ? [{key: 'Ctrl+G', label: 'in $EDITOR'}] : []),
	{key: 'Enter', label: fields[focus]?.multiline ? 'new line' : 'press'},
	...(fields.some(({multiline}) => multiline) ? [{key: 'Ctrl+D', label: 'send'}] : []),
	{key: 'Esc', label: 'cancel'},
];

const passthroughHints = ({detachKey: {name}}: ModeOf<'talk'>): readonly Hint[] => [
	{key: name, label: 'gives the keyboard back'},
	{key: `${name} ${name}`, label: 'sends it'},
];

const close: Hint = {key: 'Esc', label: 'close'};
const modeHints = {
	filter: [
		{key: 'Enter', label: 'keep'},
		{key: 'Esc', label: 'clear'},
	],
	help: [{key: 'a-z', label: 'search'}, close],
	palette: [{key: '↑↓', label: 'move'}, {key: 'Enter', label: 'run'}, close],
	details: [{key: '↑↓', label: 'scroll'}, {key: 'y', label: 'copy'}, close],
} as const satisfies Readonly<Record<string, readonly Hint[]>>;
