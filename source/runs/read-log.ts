import type {RedactorOfPieces} from '../domain/redact.ts';
import type {Files} from '../ports/files.ts';

/** Bytes read at once. */
const step = 64 * 1024;
/** Characters; a longer line comes in pieces, so that one line cannot fill the memory. */
const longestLine = 64 * 1024;

/** Reads a file that may still grow. */
export type LogReader = {
	/** What was added since the last call. Nothing while there is no file. */
	readonly added: () => AsyncGenerator<Uint8Array>;
};

/** @param from where the first call begins, in bytes */
export const createLogReader = (files: Files, path: string, from = 0): LogReader => {
	let offset = from;
	return {
		added: async function* () {
			for (;;) {
				const size = (await files.size(path)) ?? 0;
				if (size <= offset) return;
				const bytes = await files.readBytes(path, offset, Math.min(step, size - offset));
				if (bytes.length === 0) return;
				offset += bytes.length;
				yield bytes;
			}
		},
	};
};

/** The end of a file, as text; empty where there is none. */
export const readTail = async (files: Files, path: string, length: number): Promise<string> => {
	const size = (await files.size(path)) ?? 0;
	if (size === 0) return '';
	return new TextDecoder().decode(await files.readBytes(path, Math.max(size - length, 0), length));
};

/** Text lines without their line feeds; invalid UTF-8 shows as U+FFFD. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of chunks) {
		const lines = (rest + decoder.decode(chunk, {stream: true})).split('\n');
		rest = lines.pop() ?? '';
		yield* lines.flatMap(inPieces);
		if (rest.length > longestLine) {
			yield* inPieces(rest);
			rest = '';
		}
	}
	rest += decoder.decode();
	if (rest !== '') yield* inPieces(rest);
}

/**
 * Secrets as they stand in bytes that are read as Latin-1: their own, and those from which their base64 is
 * made.
 */
export const inLatin1 = (secrets: readonly string[]): readonly string[] =>
	secrets.flatMap(secret => [Buffer.from(secret).toString('latin1'), secret]);

/** Byte for byte but for what is taken out. @param redact given the bytes as characters of Latin-1 */
export async function* redactBytes(
	chunks: AsyncIterable<Uint8Array>,
	redact: RedactorOfPieces,
): AsyncGenerator<Uint8Array> {
	for await (const chunk of chunks)
		yield Buffer.from(redact.push(Buffer.from(chunk).toString('latin1')), 'latin1');
	yield Buffer.from(redact.end(), 'latin1');
}

/** A line as texts of bounded length. */
export const inPieces = (line: string): string[] =>
	line.length <= longestLine
		? [line]
		: Array.from({length: Math.ceil(line.length / longestLine)}, (_, at) =>
				line.slice(at * longestLine, (at + 1) * longestLine),
			);

const lineFeed = 0x0a;

/** The lines of some bytes, each with its line feed, but for the last one, which may have none. */
export const lineParts = (bytes: Uint8Array): readonly Uint8Array[] => {
	const parts: Uint8Array[] = [];
	for (let from = 0; from < bytes.length; ) {
		const end = bytes.indexOf(lineFeed, from) + 1 || bytes.length;
		parts.push(bytes.subarray(from, end));
		from = end;
	}
	return parts;
};
