import {sanitizeText} from '../domain/sanitize.ts';
import {type Clock, timestamp} from '../ports/clock.ts';
import {createAppendQueue} from './append-queue.ts';
import {createDialogue, type DialogueMessage} from './dialogue.ts';

/**
 * One line of `transcript.ndjson`. It contains secrets unredacted and whole; the code that shows it redacts
 * them.
 */
export type TranscriptEntry = {
	/** RFC 3339. */
	readonly at: string;
	readonly role: 'user' | 'agent' | 'system';
	readonly content: string;
};

/** The readable text of a screen. */
type ReadableScreen = {
	/** Returns each line on screen now, whole, without trailing blanks: a secret may be wrapped. */
	readonly lines: () => readonly string[];
};

type Parts = {
	readonly clock: Clock;
	readonly screen: ReadableScreen;
	/** Adds text at the end of `transcript.ndjson`. */
	readonly append: (text: string) => Promise<void>;
	/** Called with what the person said: the words at the start, and each line that they sent. */
	readonly onUser?: (content: string) => void;
	/** Called once when writing has failed; the session goes on without a transcript. */
	readonly failed: (reason: string) => void;
};

export type Transcript = {
	/** The screen has processed the program's output. */
	readonly wrote: () => void;
	/** These lines have left the top of the normal buffer. */
	readonly scrolled: (lines: readonly string[]) => void;
	/** The person typed these bytes; called before the program gets them. */
	readonly typed: (bytes: Uint8Array) => void;
	/** Adds a line of hive's own: how the session began, or who joined. */
	readonly note: (content: string) => void;
	/** Adds the person's words with which the program was started. */
	readonly addPrompt: (content: string) => void;
	/**
	 * Takes the rows on the screen, then the last note. Resolves when everything is written; later calls are
	 * ignored.
	 */
	readonly end: (content: string) => Promise<void>;
};

/** Milliseconds without output after which a screen is at rest. */
const restDelayMs = 500;
/** Milliseconds between two glances at a screen that is not at rest. */
const stableRowsIntervalMs = 1000;
/** Max milliseconds that scrolled rows wait while the screen is never at rest. */
const maxWaitMs = 5000;
const maxScrolledRows = 500;
const maxContentLength = 16 * 1024;
const maxEntriesPerSecond = 20;
const maxFileBytes = 16 * 1024 * 1024;
/** Bytes kept free for the note that the file is full, and for the last note. */
const reserved = 64 * 1024;

/**
 * Keeps the readable dialogue of a session. It has rows that scrolled away, and the screen when it came to
 * rest, at Enter and at the end. It also has rows that stayed the same on a screen that never came to rest,
 * and typed lines that were shown. Never makes its caller wait.
 */
export const createTranscript = ({clock, screen, append, onUser, failed}: Parts): Transcript => {
	const dialogue = createDialogue();
	const queue = createAppendQueue(texts => append(texts.join('')), failed);
	const rateLimit = createRateLimit(clock, maxEntriesPerSecond);
	let size = 0;
	let isFull = false;
	let isOver = false;
	let cancelRest = (): void => {};
	let cancelStableRows: (() => void) | undefined;
	let cancelWait: (() => void) | undefined;

	const write = (role: TranscriptEntry['role'], content: string): void => {
		const entry: TranscriptEntry = {at: timestamp(clock), role, content};
		const line = `${JSON.stringify(entry)}\n`;
		size += Buffer.byteLength(line);
		queue.add(line);
	};
	const note = (content: string): void =>
		write('system', splitText(sanitizeText(content).text, maxContentLength)[0] ?? '');
	const appendPart = ({role, content}: DialogueMessage): void => {
		if (isFull) return;
		if (size + maxContentLength > maxFileBytes - reserved) {
			isFull = true;
			return note('The transcript is full; what follows is not kept.');
		}
		const leftOut = rateLimit.admit();
		if (leftOut === undefined) return;
		if (leftOut > 0) note(`Too much at once: ${leftOut} entries are left out.`);
		write(role, content);
	};
	const appendMessages = (messages: readonly DialogueMessage[]): void => {
		for (const {role, content} of messages) {
			if (role === 'user') onUser?.(content);
			for (const part of splitText(sanitizeText(content).text, maxContentLength))
				appendPart({role, content: part});
		}
	};
	const stopReadingStableRows = (): void => {
		cancelStableRows?.();
		cancelStableRows = undefined;
	};
	const readScreen = (): void => {
		stopReadingStableRows();
		appendMessages(dialogue.readNewRows(screen.lines()));
	};
	const readStableRows = (): void => {
		stopReadingStableRows();
		appendMessages(dialogue.readStableRows(screen.lines()));
	};
	const readScrolledRows = (): void => {
		cancelWait?.();
		cancelWait = undefined;
		if (dialogue.waiting() > 0) appendMessages(dialogue.readNewRows([]));
	};
	const stop = (): void => {
		isOver = true;
		cancelRest();
		stopReadingStableRows();
		cancelWait?.();
	};
	return {
		wrote: () => {
			if (isOver) return;
			cancelRest();
			cancelRest = clock.after(restDelayMs, readScreen);
			cancelStableRows ??= clock.after(stableRowsIntervalMs, readStableRows);
		},
		scrolled: lines => {
			if (isOver) return;
			dialogue.scrolled(lines);
			if (dialogue.waiting() >= maxScrolledRows && rateLimit.hasRoom()) readScrolledRows();
			else cancelWait ??= clock.after(maxWaitMs, readScrolledRows);
		},
		typed: bytes => {
			if (!isOver) appendMessages(dialogue.typed(bytes, screen.lines));
		},
		addPrompt: content => {
			if (!isOver) appendMessages([{role: 'user', content}]);
		},
		note: content => {
			if (!isOver && !isFull && rateLimit.admit() !== undefined) note(content);
		},
		end: async content => {
			if (!isOver) {
				stop();
				appendMessages(dialogue.readNewRows(screen.lines(), true));
				note(content);
			}
			await queue.idle();
		},
	};
};

/**
 * Limits entries to `most` a second. The entries above that are counted, and the next accepted one reports
 * the count.
 */
const createRateLimit = (clock: Clock, maxPerSecond: number) => {
	let since = clock.elapsed();
	let count = 0;
	let leftOut = 0;
	const hasRoom = (): boolean => {
		if (clock.elapsed() - since >= 1000) {
			since = clock.elapsed();
			count = 0;
		}
		return count < maxPerSecond;
	};
	return {
		hasRoom,
		/** Returns how many entries were left out before this one; undefined if this one is left out. */
		admit: (): number | undefined => {
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
 * Splits text between its lines into parts of at most that many bytes. A longer line is left out whole: a
 * part of it could be a part of a secret.
 */
const splitText = (text: string, maxLength: number): string[] => {
	const parts: string[] = [];
	let part: string[] = [];
	let size = 0;
	for (const line of text.split('\n')) {
		const isKept = Buffer.byteLength(line) < maxLength;
		const kept = isKept ? line : `(a line of ${line.length} characters is left out)`;
		const length = Buffer.byteLength(kept) + 1;
		if (part.length > 0 && size + length > maxLength) {
			parts.push(part.join('\n'));
			part = [];
			size = 0;
		}
		part.push(kept);
		size += length;
	}
	return [...parts, part.join('\n')];
};
