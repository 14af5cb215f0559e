import {Box, Text} from 'ink';
import {createElement, memo} from 'react';

/**
 * The screen of a program. Each row is made from screen cells: text with SGR sequences only, which end in the
 * row.
 */
export const ProgramRows = memo(({rows}: {readonly rows: readonly string[]}) =>
	createElement(Box, {flexDirection: 'column', flexGrow: 1, 'aria-hidden': true}, ...rows.map(toRow)),
);

const toRow = (text: string) => <ProgramRow text={text} />;

const ProgramRow = memo(({text}: {readonly text: string}) => <Text wrap="truncate">{text}</Text>);
