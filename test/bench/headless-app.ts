import {PassThrough} from 'node:stream';
import {mountApp} from '../../source/dashboard/mount.tsx';
import type {Size} from '../../source/dashboard/store/state.ts';
import type {Store} from '../../source/dashboard/store/store.ts';
import {inkStdout} from '../../source/dashboard/terminal/ink-stdout.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';

export type HeadlessApp = {
	/** Calls once, as soon as the next frame is written. */
	readonly onFrame: (call: () => void) => void;
	/** What was written since this was called last. */
	readonly taken: () => string;
};

/** The dashboard on a terminal that takes all that is written and shows it to nobody. */
export const mountHeadless = (store: Store, size: Size): HeadlessApp => {
	let written = '';
	let onWritten = (): void => undefined;
	const stdout = Object.assign(new PassThrough({decodeStrings: false}), {isTTY: true, ...size});
	stdout.write = text => {
		written += String(text);
		// What marks the end of a frame, or is all of it.
		if (String(text).includes('2026l')) onWritten();
		return true;
	};
	const stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => stdin,
		ref: () => stdin,
		unref: () => stdin,
	});
	mountApp(
		{store, theme: 'dark', header: createFixtureWorld().world.header, onPress: () => undefined},
		{
			stdin: stdin as unknown as NodeJS.ReadStream,
			stdout: inkStdout(stdout as unknown as NodeJS.WriteStream, size, false),
		},
	);
	return {
		onFrame: call => {
			onWritten = () => {
				onWritten = () => undefined;
				call();
			};
		},
		taken: () => {
			const text = written;
			written = '';
			return text;
		},
	};
};
