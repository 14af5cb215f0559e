import {sanitizeText} from '../domain/sanitize.ts';
import type {Clock} from '../ports/clock.ts';
import type {TerminalEmulator} from '../screen/terminal-emulator.ts';
import {createTyping} from './typing.ts';

/** Types texts on behalf of a person who is not at the session, and checks that the program shows them. */
export type Delivery = {
	/** A person typed these bytes. */
	readonly typed: (bytes: Uint8Array) => void;
	/** The screen has processed the program's output. */
	readonly wrote: () => void;
	/**
	 * Resolves with undefined once the screen shows the text and, with `submit`, has changed after Enter; else
	 * with the reason why not.
	 */
	readonly deliver: (text: string, submit: boolean) => Promise<string | undefined>;
	/** The program is gone: ends the pending waits. */
	readonly end: () => void;
};

type Parts = {
	readonly clock: Clock;
	readonly screen: Pick<TerminalEmulator, 'text' | 'cursorText' | 'takesPastes'>;
	/** True if the program's terminal has accepted all input. */
	readonly isTaken: () => boolean;
	/** Writes input to the program. */
	readonly write: (bytes: Uint8Array) => void;
};

/** Milliseconds after a key during which a person counts as typing. */
const typingPauseMs = 3000;
/** Max milliseconds for a program to show its input. */
const deliveryTimeoutMs = 5000;
/** Number of characters at the end of a text that are searched for. */
const maxSoughtLength = 24;
const maxTextLength = 64 * 1024;
/** Characters of a line that may also be single keys, and milliseconds after which they count as keys. */
const shortLine = 8;
const unfinishedKeyMs = 60_000;

export const createDelivery = ({clock, screen, isTaken, write}: Parts): Delivery => {
	let typedAt = Number.NEGATIVE_INFINITY;
	const typing = createTyping();
	let isOver = false;
	let isBusy = false;
	/** Checks the screen again. */
	let checkScreen = (): void => {};

	const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

	/**
	 * Resolves true as soon as the condition holds, false after `patience` milliseconds or when the program has
	 * ended.
	 */
	const until = (isSo: () => boolean): Promise<boolean> =>
		new Promise(resolve => {
			if (isSo()) return resolve(true);
			const finish = (found: boolean): void => {
				cancel();
				checkScreen = () => {};
				resolve(found);
			};
			const cancel = clock.after(deliveryTimeoutMs, () => finish(false));
			checkScreen = () => {
				if (isOver) finish(false);
				else if (isSo()) finish(true);
			};
		});

	/** True if a person has typed a line and not sent it. A key or two may instead have answered a question. */
	const isLineOpen = (): boolean => {
		const line = squeezed(typing.line());
		const isKey = line.length < shortLine && clock.elapsed() - typedAt > unfinishedKeyMs;
		return line !== '' && !isKey;
	};
	/** Returns the part of the screen in which a text is searched. A short one may occur anywhere by chance. */
	const searchedText = (text: string): string =>
		squeezed(squeezed(text).length < shortLine ? screen.cursorText() : screen.text().join('\n'));

	const give = async (text: string, submit: boolean): Promise<string | undefined> => {
		const before = searchedText(text);
		const typedBefore = typedAt;
		write(bytesOf(screen.takesPastes() ? `\x1b[200~${text}\x1b[201~` : text));
		if (!(await until(() => isTaken() && isShown(text, before, searchedText(text)))))
			return isOver ? ended : 'the program has not shown the text; it may have it all the same';
		if (!submit) return undefined;
		if (typedAt !== typedBefore) return 'a person began to type; the text is there, without Enter';
		const typed = screen.text().join('\n');
		write(bytesOf('\r'));
		if (await until(() => screen.text().join('\n') !== typed)) return undefined;
		return isOver ? undefined : 'the program shows it, and Enter has changed nothing';
	};

	return {
		typed: bytes => {
			typedAt = clock.elapsed();
			for (const _ of typing.push(bytes));
		},
		wrote: () => checkScreen(),
		deliver: async (raw, submit) => {
			const {text} = sanitizeText(raw.slice(0, maxTextLength));
			if (squeezed(text) === '') return 'the text has no visible characters';
			if (raw.length > maxTextLength) return `the text is longer than ${maxTextLength} characters`;
			if (isOver) return ended;
			if (isBusy) return 'another text is being sent';
			if (clock.elapsed() - typedAt < typingPauseMs) return 'a person is typing';
			if (isLineOpen()) return 'a person has begun a line and not sent it';
			if (text.includes('\n') && !screen.takesPastes())
				return 'the program takes no pastes, and each line would be sent by itself';
			isBusy = true;
			try {
				return await give(text, submit);
			} finally {
				isBusy = false;
			}
		},
		end: () => {
			isOver = true;
			checkScreen();
		},
	};
};

const ended = 'the program has ended';

/**
 * True if the end of the text is on the screen more often than before. Also true if the program reports in
 * its own words that something was pasted.
 */
const isShown = (text: string, before: string, now: string): boolean =>
	[squeezed(text).slice(-maxSoughtLength), 'pasted'].some(
		needle => occurrences(now, needle) > occurrences(before, needle),
	);

/** Returns the text without blanks and frames, so that line wrapping makes no difference. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s|\u2500-\u259f]+/g, '');

const occurrences = (text: string, needle: string): number => text.split(needle).length - 1;
