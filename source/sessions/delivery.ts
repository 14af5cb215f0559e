import {sanitizeText} from '../domain/sanitize.ts';
import type {Clock} from '../ports/clock.ts';
import type {Screen} from '../screen/screen.ts';
import {createTyping} from './typing.ts';

/** Types texts for somebody who is not there, and looks whether the program has them. */
export type Delivery = {
	/** A person typed this. */
	readonly typed: (bytes: Uint8Array) => void;
	/** The screen has taken in what the program wrote. */
	readonly wrote: () => void;
	/**
	 * Resolves when the screen shows the text, and, with `submit`, has changed after Enter; else with why not.
	 */
	readonly deliver: (text: string, submit: boolean) => Promise<string | undefined>;
	/** The program is gone: whoever waits is told. */
	readonly end: () => void;
};

type Parts = {
	readonly clock: Clock;
	readonly screen: Pick<Screen, 'text' | 'cursorText' | 'takesPastes'>;
	/** The program's terminal has taken all input. */
	readonly isTaken: () => boolean;
	/** Gives it to the program. */
	readonly write: (bytes: Uint8Array) => void;
};

/** Milliseconds after a key in which a person counts as typing. */
const typingMilliseconds = 3000;
/** Milliseconds in which a program shows what it was given. */
const patience = 5000;
/** Characters of the end of a text that are looked for. */
const sought = 24;
const longest = 64 * 1024;
/**
 * Characters of a line that could as well be keys pressed, and milliseconds after which they are taken for
 * that.
 */
const shortLine = 8;
const keyMilliseconds = 60_000;

export const createDelivery = ({clock, screen, isTaken, write}: Parts): Delivery => {
	let typedAt = Number.NEGATIVE_INFINITY;
	const typing = createTyping();
	let isOver = false;
	let isBusy = false;
	/** Looks at the screen again. */
	let look = (): void => {};

	const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

	/** Resolves true as soon as it is so, false when the program is given up. */
	const until = (isSo: () => boolean): Promise<boolean> =>
		new Promise(resolve => {
			if (isSo()) return resolve(true);
			const finish = (found: boolean): void => {
				cancel();
				look = () => {};
				resolve(found);
			};
			const cancel = clock.after(patience, () => finish(false));
			look = () => {
				if (isOver) finish(false);
				else if (isSo()) finish(true);
			};
		});

	/** What a person has typed is there, and not sent; a key or two may have answered a question. */
	const isLineOpen = (): boolean => {
		const line = squeezed(typing.line());
		const isKey = line.length < shortLine && clock.elapsed() - typedAt > keyMilliseconds;
		return line !== '' && !isKey;
	};
	/** Where a text is looked for: a short one may stand anywhere by itself. */
	const placeOf = (text: string): string =>
		squeezed(squeezed(text).length < shortLine ? screen.cursorText() : screen.text().join('\n'));

	const give = async (text: string, submit: boolean): Promise<string | undefined> => {
		const before = placeOf(text);
		const typedBefore = typedAt;
		write(bytesOf(screen.takesPastes() ? `\x1b[200~${text}\x1b[201~` : text));
		if (!(await until(() => isTaken() && isShown(text, before, placeOf(text)))))
			return isOver ? ended : 'the program has not shown it; it may have it all the same';
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
		wrote: () => look(),
		deliver: async (raw, submit) => {
			const {text} = sanitizeText(raw.slice(0, longest));
			if (squeezed(text) === '') return 'there is nothing in it that could be seen';
			if (raw.length > longest) return `it is longer than ${longest} characters`;
			if (isOver) return ended;
			if (isBusy) return 'another text is being sent';
			if (clock.elapsed() - typedAt < typingMilliseconds) return 'a person is typing';
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
			look();
		},
	};
};

const ended = 'the program has ended';

/**
 * Its last words are there more often than before, or the program says in words of its own that something was
 * pasted.
 */
const isShown = (text: string, before: string, now: string): boolean =>
	[squeezed(text).slice(-sought), 'pasted'].some(
		words => occurrences(now, words) > occurrences(before, words),
	);

/** Without blanks and frames, which is how it looks the same wherever it is wrapped. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s|\u2500-\u259f]+/g, '');

const occurrences = (text: string, words: string): number => text.split(words).length - 1;
