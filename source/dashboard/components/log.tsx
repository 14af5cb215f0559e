import {Box} from 'ink';
import {formatCount} from '../../domain/format-count.ts';
import {formatNumber} from '../parts/format.ts';
import {span} from '../parts/line.ts';
import type {LogStream} from '../store/log.ts';
import {RichText, SafeText} from './safe-text.tsx';
import {TextWindow} from './text-window.tsx';

type Props = {
	/** Only the lines in the window. */
	readonly lines: readonly string[];
	/** Time of each line, if there is a column for it. */
	readonly times?: readonly string[] | undefined;
	readonly start: number;
	readonly left: number;
	readonly search: string;
	/** The row of the cursor, by its index in the window, and the columns of its bar. */
	readonly marked?: {readonly index: number; readonly width: number} | undefined;
	readonly isLive: boolean;
	readonly stream: LogStream;
	/** Number of lines written so far, of lines still kept, and of control sequences that were removed. */
	readonly total: number;
	readonly kept: number;
	readonly removed: number;
};

/** The output of a program, with a status row about its length. */
export const Log = ({lines, times, start, left, search, marked, ...status}: Props) => (
	<Box flexDirection="column" flexGrow={1} aria-role="list">
		<Box flexDirection="column" flexGrow={1}>
			<TextWindow lines={lines} times={times} start={start} left={left} search={search} marked={marked} />
		</Box>
		<Box height={1} flexShrink={0}>
			<LogStatus {...status} />
		</Box>
	</Box>
);

type Status = Pick<Props, 'stream' | 'total' | 'kept' | 'removed' | 'isLive'>;

const streamWords = {stdout: 'standard output', stderr: 'standard error'} as const;

const LogStatus = ({stream, total, kept, removed, isLive}: Status) => {
	if (total === 0)
		return (
			<SafeText tone="dim">
				{isLive ? 'Nothing written yet.' : `It wrote nothing to its ${streamWords[stream]}.`}
			</SafeText>
		);
	const cleaned = removed > 0 ? ` · ${formatCount(removed, 'control sequence')} removed` : '';
	const dropped = total > kept ? ` · the last ${formatNumber(kept)} kept` : '';
	const count = `${formatNumber(total)} ${total === 1 ? 'line' : 'lines'}`;
	return (
		<RichText
			line={[
				span(isLive ? '▼ live' : '· ended', isLive ? 'info' : 'dim'),
				span(` · ${count}${dropped}${cleaned}`, 'dim'),
			]}
		/>
	);
};
