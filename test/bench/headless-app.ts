import {PassThrough} from 'node:stream';
import {mountApp} from '../../source/dashboard/mount.tsx';
import type {ThemeSettings} from '../../source/dashboard/parts/theme.ts';
import type {Size} from '../../source/dashboard/store/state.ts';
import type {Store} from '../../source/dashboard/store/store.ts';
import {inkStdout} from '../../source/dashboard/terminal/ink-stdout.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';

export type HeadlessApp = {
	/** Calls the function once, as soon as the next frame is written. */
	readonly onFrame: (call: () => void) => void;
	/** Returns the output since the last call. */
	readonly taken: () => string;
	readonly unmount: () => void;
};

/** Creates a terminal that accepts all output and shows nothing. */
export const headlessStreams = (size: Size, onWritten = (_text: string): void => {}) => {
	let written = '';
	const stdout = Object.assign(new PassThrough({decodeStrings: false}), {isTTY: true, ...size});
	stdout.write = text => {
		written += String(text);
		onWritten(String(text));
		return true;
	};
	const stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => stdin,
		ref: () => stdin,
		unref: () => stdin,
	});
	return {
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		/** Returns the output since the last call. */
		taken: () => {
			const text = written;
			written = '';
			return text;
		},
	};
};

const dark: ThemeSettings = {theme: 'dark', ascii: false};

/** Mounts the dashboard on such a terminal. */
export const mountHeadless = (store: Store, size: Size, {theme, ascii} = dark): HeadlessApp => {
	let onFrame = (): void => undefined;
	const {stdin, stdout, taken} = headlessStreams(size, text => {
		// The end mark of a frame, or the whole frame.
		if (text.includes('2026l')) onFrame();
	});
	const {unmount} = mountApp(
		{store, theme, header: createFixtureWorld().world.header, onInput: () => undefined},
		{stdin, stdout: inkStdout(stdout, size, ascii), trueColor: false},
	);
	return {
		onFrame: call => {
			onFrame = () => {
				onFrame = () => undefined;
				call();
			};
		},
		taken,
		unmount,
	};
};
