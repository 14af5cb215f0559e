import {sanitizeText} from '../domain/sanitize.ts';
import {type Clock, timestamp} from '../ports/clock.ts';
import {createAppendQueue} from './append-queue.ts';
import {createDialogue, type Said} from './dialogue.ts';

/** One line of `transcript.ndjson`. Its secrets are left in, whole: whatever shows it redacts it. */
export type TranscriptEntry = {
	/** RFC 3339. */
	readonly at: string;
	readonly role: 'user' | 'agent' | 'system';
	readonly content: string;
};

/** What a person can read on a screen. */
type ReadableScreen = {
	/**
	 * Text of each line on screen now, whole and with trailing blanks cut: what is wrapped could be a secret.
	 */
	readonly lines: () => readonly string[];
};

type Parts = {
	readonly clock: Clock;
	readonly screen: ReadableScreen;
	/** Adds text at the end of `transcript.ndjson`. */
	readonly append: (text: string) => Promise<void>;
	/** Called once when it cannot be written any more; the session goes on without. */
	readonly failed: (reason: string) => void;
};

export type Transcript = {
	/** The screen has taken in what the program wrote. */
	readonly wrote: () => void;
	/** These lines have left the top of the normal buffer. */
	readonly scrolled: (lines: readonly string[]) => void;
	/** The person typed this; said before the program gets it. */
	readonly typed: (bytes: Uint8Array) => void;
	/** A line of hive's own: how the session began, who came. */
	readonly note: (content: string) => void;
	/** The person's words that the program was started with. */
	readonly said: (content: string) => void;
	/**
	 * Takes what is on the screen, then the last note; resolves when all is written. Nothing is taken
	 * afterwards.
	 */
	readonly end: (content: string) => Promise<void>;
};

/** Milliseconds without output after which a screen is at rest. */
const restMilliseconds = 500;
/** Milliseconds between two glances at a screen that is not at rest. */
const glanceMilliseconds = 1000;
/** Milliseconds after which rows that scrolled away are said though the screen is never at rest. */
const longestWait = 5000;
const manyRows = 500;
const longestContent = 16 * 1024;
const mostPerSecond = 20;
const longestFile = 16 * 1024 * 1024;
/** Room for the note that the file is full, and the last note. */
const reserved = 64 * 1024;

/**
 * Keeps the dialogue of a session as a person could read it: what scrolled away, what the screen showed when
 * it came to rest, at Enter and at the end, what stood still on it though it never came to rest, and the
 * lines that were typed and seen. Never makes its caller wait.
 */
export const createTranscript = ({clock, screen, append, failed}: Parts): Transcript => {
	const dialogue = createDialogue();
	const queue = createAppendQueue(texts => append(texts.join('')), failed);
	const pace = createPace(clock, mostPerSecond);
	let size = 0;
	let isFull = false;
	let isOver = false;
	let cancelRest = (): void => {};
	let cancelGlance: (() => void) | undefined;
	let cancelWait: (() => void) | undefined;

	const write = (role: TranscriptEntry['role'], content: string): void => {
		const entry: TranscriptEntry = {at: timestamp(clock), role, content};
		const line = `${JSON.stringify(entry)}\n`;
		size += Buffer.byteLength(line);
		queue.add(line);
	};
	const note = (content: string): void =>
		write('system', inParts(sanitizeText(content).text, longestContent)[0] ?? '');
	const sayPart = ({role, content}: Said): void => {
		if (isFull) return;
		if (size + longestContent > longestFile - reserved) {
			isFull = true;
			return note('The transcript is full; what follows is not kept.');
		}
		const leftOut = pace.take();
		if (leftOut === undefined) return;
		if (leftOut > 0) note(`Too much at once: ${leftOut} entries are left out.`);
		write(role, content);
	};
	const say = (said: readonly Said[]): void => {
		for (const {role, content} of said)
			for (const part of inParts(sanitizeText(content).text, longestContent)) sayPart({role, content: part});
	};
	const stopGlancing = (): void => {
		cancelGlance?.();
		cancelGlance = undefined;
	};
	const lookAtAll = (): void => {
		stopGlancing();
		say(dialogue.look(screen.lines()));
	};
	const glance = (): void => {
		stopGlancing();
		say(dialogue.glance(screen.lines()));
	};
	const lookAtScrolled = (): void => {
		cancelWait?.();
		cancelWait = undefined;
		if (dialogue.waiting() > 0) say(dialogue.look([]));
	};
	const stop = (): void => {
		isOver = true;
		cancelRest();
		stopGlancing();
		cancelWait?.();
	};
	return {
		wrote: () => {
			if (isOver) return;
			cancelRest();
			cancelRest = clock.after(restMilliseconds, lookAtAll);
			cancelGlance ??= clock.after(glanceMilliseconds, glance);
		},
		scrolled: lines => {
			if (isOver) return;
			dialogue.scrolled(lines);
			if (dialogue.waiting() >= manyRows && pace.hasRoom()) lookAtScrolled();
			else cancelWait ??= clock.after(longestWait, lookAtScrolled);
		},
		typed: bytes => {
			if (!isOver) say(dialogue.typed(bytes, screen.lines));
		},
		said: content => {
			if (!isOver) say([{role: 'user', content}]);
		},
		note: content => {
			if (!isOver && !isFull && pace.take() !== undefined) note(content);
		},
		end: async content => {
			if (!isOver) {
				stop();
				say(dialogue.look(screen.lines(), true));
				note(content);
			}
			await queue.idle();
		},
	};
};

/** So many a second; what is over is counted and said by the next one that is let through. */
const createPace = (clock: Clock, most: number) => {
	let since = clock.elapsed();
	let count = 0;
	let leftOut = 0;
	const hasRoom = (): boolean => {
		if (clock.elapsed() - since >= 1000) {
			since = clock.elapsed();
			count = 0;
		}
		return count < most;
	};
	return {
		hasRoom,
		/** How many were left out before this one; nothing when this one is. */
		take: (): number | undefined => {
			if (!hasRoom()) {
				leftOut += 1;
				return undefined;
			}
			const before = leftOut;
			leftOut = 0;
			count += 1;
			return before;
		},
	};
};

/**
 * Text in parts of at most so many bytes, between its lines. Of a longer line no part is kept: that could be
 * a part of a secret.
 */
const inParts = (text: string, longest: number): string[] => {
	const parts: string[] = [];
	let part: string[] = [];
	let size = 0;
	for (const line of text.split('\n')) {
		const isKept = Buffer.byteLength(line) < longest;
		const kept = isKept ? line : `(a line of ${line.length} characters is left out)`;
		const length = Buffer.byteLength(kept) + 1;
		if (part.length > 0 && size + length > longest) {
			parts.push(part.join('\n'));
			part = [];
			size = 0;
		}
		part.push(kept);
		size += length;
	}
	return [...parts, part.join('\n')];
};
