import {Box, Text} from 'ink';
import {createElement, memo} from 'react';

/**
 * What a program shows. Its rows are made of the cells of a screen: text with SGR and nothing else, each
 * closed in itself.
 */
export const ProgramRows = memo(({rows}: {readonly rows: readonly string[]}) =>
	createElement(Box, {flexDirection: 'column', flexGrow: 1, 'aria-hidden': true}, ...rows.map(toRow)),
);

const toRow = (text: string) => <ProgramRow text={text} />;

const ProgramRow = memo(({text}: {readonly text: string}) => <Text wrap="truncate">{text}</Text>);
