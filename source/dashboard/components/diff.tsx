import {Box} from 'ink';
import {memo} from 'react';
import type {Tone} from '../parts/line.ts';
import type {DiffRow} from '../store/diff.ts';
import {SafeText} from './safe-text.tsx';
import {Numbered, TextLine} from './text-window.tsx';

type Props = {
	/** Rows of the window only. */
	readonly rows: readonly DiffRow[];
	readonly start: number;
	readonly left: number;
	readonly search: string;
};

/** A patch: unified, or what was beside what is. */
export const Diff = ({rows, start, left, search}: Props) => (
	<Numbered items={rows} start={start}>
		{row => <DiffLine row={row} left={left} search={search} />}
	</Numbered>
);

type LineProps = {readonly row: DiffRow; readonly left: number; readonly search: string};

const DiffLine = memo(({row, left, search}: LineProps) => {
	if ('whole' in row)
		return <TextLine text={row.whole} left={left} search={search} tone={toneOf(row.whole)} />;
	const side = (text = '') => (
		<Box flexBasis={0} flexGrow={1}>
			<TextLine text={text} left={left} search={search} tone={toneOf(text)} />
		</Box>
	);
	return (
		<Box height={1} flexShrink={0}>
			{side(row.old)}
			<Box flexShrink={0} aria-hidden>
				<SafeText tone="border">│</SafeText>
			</Box>
			{side(row.new)}
		</Box>
	);
});

const toneOf = (text: string): Tone => {
	if (text.startsWith('diff --git ')) return 'strong';
	if (text.startsWith('+++') || text.startsWith('---') || text.startsWith('index ')) return 'dim';
	if (text.startsWith('@@')) return 'info';
	if (text.startsWith('+')) return 'added';
	return text.startsWith('-') ? 'removed' : 'plain';
};
