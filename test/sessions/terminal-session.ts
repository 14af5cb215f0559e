import type {Clock} from '../../source/ports/clock.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {createTranscript, type TranscriptEntry} from '../../source/sessions/transcript.ts';

/** Creates a clock that moves only when the test moves it. */
export const handClock = () => {
	let now = 0;
	let timers: {at: number; call: () => void}[] = [];
	const clock: Clock = {
		now: () => Date.UTC(2030, 0, 1) + now,
		elapsed: () => now,
		after: (milliseconds, call) => {
			const timer = {at: now + milliseconds, call};
			timers.push(timer);
			return () => {
				timers = timers.filter(other => other !== timer);
			};
		},
	};
	const pass = (milliseconds: number): void => {
		const end = now + milliseconds;
		for (;;) {
			const next = timers.filter(({at}) => at <= end).sort((one, other) => one.at - other.at)[0];
			if (next === undefined) break;
			timers = timers.filter(other => other !== next);
			now = Math.max(now, next.at);
			next.call();
		}
		now = end;
	};
	return {clock, pass};
};

/** Creates a terminal with a transcript of its output, connected as in the holder of a session. */
export const terminalSession = ({columns = 60, rows = 10} = {}) => {
	const screen = createTerminalEmulator(
		{columns, rows},
		{scrollback: 5000, onScrolledOff: line => transcript.scrolled([line])},
	);
	const {clock, pass} = handClock();
	let text = '';
	const transcript = createTranscript({
		...{clock, screen},
		append: async added => {
			text += added;
		},
		failed: reason => {
			throw new Error(reason);
		},
	});
	const print = async (output: string | Uint8Array): Promise<void> => {
		screen.write(Buffer.from(output));
		transcript.wrote();
	};
	return {
		transcript,
		print,
		pass,
		type: (keys: string | Uint8Array) => transcript.typed(Buffer.from(keys)),
		/** Ends the transcript and returns the entries of the file. */
		ended: async (): Promise<TranscriptEntry[]> => {
			await transcript.end('ended');
			return text
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line) as TranscriptEntry);
		},
	};
};

/** Returns `role: content` of all entries but the last note. */
export const wordsOf = (entries: readonly TranscriptEntry[]): string[] =>
	entries.slice(0, -1).map(({role, content}) => `${role}: ${content}`);
