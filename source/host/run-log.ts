import {readableLog} from '../agents/readable-log.ts';
import {type AdapterName, adapters} from '../colony/colony.ts';
import type {Files} from '../ports/files.ts';
import {runPath} from '../runs/layout.ts';
import {inPieces, linesOf} from '../runs/read-log.ts';

/**
 * The adapter that a run was started with, as its directory says once the run has written something; what is not known is
 * shown as it is.
 */
export const adapterOf = async (files: Files, directory: string): Promise<AdapterName> => {
	const meta = (await files.read(runPath(directory, 'meta'))) ?? '';
	const adapter = /"adapter": *"(\w+)"/.exec(meta)?.[1];
	return adapters.find(name => name === adapter) ?? 'script';
};

/**
 * What an agent printed as lines for people; a long line comes in pieces. Secrets and control characters are left in.
 *
 * @param adapterOfRun asked when there is something to read
 */
export async function* readableLines(
	chunks: AsyncGenerator<Uint8Array>,
	adapterOfRun: () => Promise<AdapterName>,
): AsyncGenerator<string> {
	const first = await chunks.next();
	if (first.done) return;
	const adapter = await adapterOfRun();
	const all = startingWith(first.value, chunks);
	if (adapter === 'script') return yield* linesOf(all);
	const log = readableLog(adapter);
	for await (const chunk of all) yield* log.push(chunk).flatMap(inPieces);
	yield* log.end().flatMap(inPieces);
}

async function* startingWith(
	first: Uint8Array,
	rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}

/** Turns what an agent prints, as it comes, into text for people; what a script prints stays as it is, open lines too. */
export const createReadableText = (
	adapter: AdapterName,
	isFromStart: boolean,
): ((bytes: Uint8Array) => string) => {
	if (adapter === 'script') {
		const decoder = new TextDecoder();
		return bytes => decoder.decode(bytes, {stream: true});
	}
	const log = readableLog(adapter);
	let isWhole = isFromStart;
	return bytes => {
		const lineEnd = isWhole ? -1 : bytes.indexOf(lineFeed);
		if (!isWhole && lineEnd < 0) return '';
		isWhole = true;
		return log
			.push(bytes.subarray(lineEnd + 1))
			.map(line => `${line}\n`)
			.join('');
	};
};

const lineFeed = 0x0a;
