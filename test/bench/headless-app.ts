import {PassThrough} from 'node:stream';
import {mountApp} from '../../source/dashboard/mount.tsx';
import type {ThemeSettings} from '../../source/dashboard/parts/theme.ts';
import type {Size} from '../../source/dashboard/store/state.ts';
import type {Store} from '../../source/dashboard/store/store.ts';
import {inkStdout} from '../../source/dashboard/terminal/ink-stdout.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';

export type HeadlessApp = {
	/** Calls once, as soon as the next frame is written. */
	readonly onFrame: (call: () => void) => void;
	/** What was written since this was called last. */
	readonly taken: () => string;
	readonly unmount: () => void;
};

/** A terminal that takes all that is written and shows it to nobody. */
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
		/** What was written since this was called last. */
		taken: () => {
			const text = written;
			written = '';
			return text;
		},
	};
};

const dark: ThemeSettings = {theme: 'dark', ascii: false};

/** The dashboard on such a terminal. */
export const mountHeadless = (store: Store, size: Size, {theme, ascii} = dark): HeadlessApp => {
	let onFrame = (): void => undefined;
	const {stdin, stdout, taken} = headlessStreams(size, text => {
		// What marks the end of a frame, or is all of it.
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
