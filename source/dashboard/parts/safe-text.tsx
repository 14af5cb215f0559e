import {Text} from 'ink';
import type {Line} from './line.ts';
import {type Look, paint} from './look.ts';

type Props = {readonly rows: readonly Line[]; readonly look: Look};

/**
 * The one door to the screen (reliability.md I15): a row can only be made of spans, and `span` sanitizes. All rows are one
 * text, so that Ink has one thing to lay out: with a text per row a frame takes half as long again (performance.md, row 22).
 */
export const SafeText = ({rows, look}: Props) => <Text>{rows.map(row => paint(row, look)).join('\n')}</Text>;
