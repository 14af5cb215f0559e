import {PassThrough} from 'node:stream';
import xterm from '@xterm/headless';
import {Box, render, Text} from 'ink';
import {useState} from 'react';
import {describe, expect, it} from 'vitest';
import {inkStdout} from '../../source/dashboard/terminal/ink-stdout.ts';

const size = {columns: 12, rows: 5};

/** Opens a terminal, writes rows to it, and returns its screen. */
const openScreen = (isAscii = false) => {
	const terminal = new xterm.Terminal({
		cols: size.columns,
		rows: size.rows,
		allowProposedApi: true,
		convertEol: true,
	});
	const stream = Object.assign(new PassThrough({decodeStrings: false}), {isTTY: true, columns: 99, rows: 99});
	const written: string[] = [];
	let onFrame = (): void => undefined;
	stream.on('data', chunk => {
		written.push(String(chunk));
		terminal.write(String(chunk));
		if (String(chunk).includes('2026l')) onFrame();
	});
	const stdout = inkStdout(stream as unknown as NodeJS.WriteStream, size, isAscii);
	/** Returns the rows of the screen once the frame with that text is on it. */
	const shows = async (text: string): Promise<string[]> => {
		await new Promise<void>(resolve => {
			onFrame = resolve;
			setText(text);
		});
		await new Promise<void>(resolve => terminal.write('', resolve));
		const {active} = terminal.buffer;
		return Array.from({length: size.rows}, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
	};
	return {stream, stdout, shows, written};
};

let setText: (text: string) => void;
const Frame = () => {
	const [text, set] = useState('one');
	setText = set;
	return (
		<Box flexDirection="column" width={size.columns} height={size.rows - 1}>
			<Text>{text}</Text>
			<Text>{'─'.repeat(size.columns)}</Text>
			<Text>below {text}</Text>
		</Box>
	);
};

const draw = (stdout: NodeJS.WriteStream) =>
	render(<Frame />, {stdout, incrementalRendering: true, maxFps: 1000, patchConsole: false});

describe('the terminal output of Ink', () => {
	it('redraws each changed row in its place, and leaves the others', async () => {
		const {stdout, shows} = openScreen();
		const {unmount} = draw(stdout);
		for (const text of ['two', 'three', 'a']) {
			expect(await shows(text)).toEqual([text, '─'.repeat(size.columns), `below ${text}`, '', '']);
		}
		unmount();
	});

	it('erases a row before writing it, so that a row of full width keeps its last column', async () => {
		const {stdout, shows, written} = openScreen();
		const {unmount} = draw(stdout);
		await shows('x'.repeat(size.columns));
		expect(written.join('')).toContain(`\x1b[1G\x1b[K${'x'.repeat(size.columns)}\n`);
		unmount();
	});

	it('keeps its initial size while it is drawn on, and never clears at a resize', async () => {
		const {stream, stdout, shows, written} = openScreen();
		const {unmount} = draw(stdout);
		stream.rows = 2;
		stream.emit('resize');
		expect((await shows('two'))[0]).toBe('two');
		expect(written.join('')).not.toMatch(/\[[23]J/);
		unmount();
	});

	it('writes only ASCII of the same width if asked to', async () => {
		const {stdout, shows} = openScreen(true);
		const {unmount} = draw(stdout);
		expect((await shows('漢…')).slice(0, 2)).toEqual(['??~', '-'.repeat(size.columns)]);
		unmount();
	});
});
