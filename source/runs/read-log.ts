import type {RedactorOfPieces} from '../domain/redact.ts';
import type {Files} from '../ports/files.ts';

/** Max bytes of one read. */
const maxReadBytes = 64 * 1024;
/** Max characters. A longer line is split into pieces, so that one line cannot fill the memory. */
const maxLineLength = 64 * 1024;

/** Reads a file that may still grow. */
export type LogReader = {
	/** Yields the bytes added since the last call; none while there is no file. */
	readonly added: () => AsyncGenerator<Uint8Array>;
};

/** @param from start of the first call, in bytes */
export const createLogReader = (files: Files, path: string, from = 0): LogReader => {
	let offset = from;
	return {
		added: async function* () {
			for (;;) {
				const size = (await files.size(path)) ?? 0;
				if (size <= offset) return;
				const bytes = await files.readBytes(path, offset, Math.min(maxReadBytes, size - offset));
				if (bytes.length === 0) return;
				offset += bytes.length;
				yield bytes;
			}
		},
	};
};

/** Returns the end of a file, at most `length` bytes, as text; empty if there is none. */
export const readTail = async (files: Files, path: string, length: number): Promise<string> => {
	const size = (await files.size(path)) ?? 0;
	if (size === 0) return '';
	return new TextDecoder().decode(await files.readBytes(path, Math.max(size - length, 0), length));
};

/** Yields text lines without their line feeds. Invalid UTF-8 becomes U+FFFD. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of chunks) {
		const lines = (rest + decoder.decode(chunk, {stream: true})).split('\n');
		rest = lines.pop() ?? '';
		yield* lines.flatMap(inPieces);
		if (rest.length > maxLineLength) {
			yield* inPieces(rest);
			rest = '';
		}
	}
	rest += decoder.decode();
	if (rest !== '') yield* inPieces(rest);
}

/**
 * Returns secrets as they look in bytes decoded as Latin-1, and unchanged, as their base64 is derived from
 * them.
 */
export const inLatin1 = (secrets: readonly string[]): readonly string[] =>
	secrets.flatMap(secret => [Buffer.from(secret).toString('latin1'), secret]);

/**
 * Yields the bytes unchanged, except for redacted parts. @param redact called with the bytes as Latin-1
 * characters
 */
export async function* redactBytes(
	chunks: AsyncIterable<Uint8Array>,
	redact: RedactorOfPieces,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of chunks)
		yield Buffer.from(redact.push(Buffer.from(chunk).toString('latin1')), 'latin1');
	yield Buffer.from(redact.end(), 'latin1');
}

/** Splits a line into texts of bounded length. */
export const inPieces = (line: string): string[] =>
	line.length <= maxLineLength
		? [line]
		: Array.from({length: Math.ceil(line.length / maxLineLength)}, (_, at) =>
				line.slice(at * maxLineLength, (at + 1) * maxLineLength),
			);

const lineFeed = 0x0a;

/** Splits bytes into lines, each with its line feed; the last may have none. */
export const lineParts = (bytes: Uint8Array): readonly Uint8Array[] => {
	const parts: Uint8Array[] = [];
	for (let from = 0; from < bytes.length; ) {
		const end = bytes.indexOf(lineFeed, from) + 1 || bytes.length;
		parts.push(bytes.subarray(from, end));
		from = end;
	}
	return parts;
};
