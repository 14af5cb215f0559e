import {readFileSync} from 'node:fs';
import {createRequire, wrap} from 'node:module';
import path from 'node:path';
import {constants, Script} from 'node:vm';
import {releaseHeap} from '../drivers/heap-bounds.ts';
import type {CodeCache} from './code-cache.ts';

/**
 * Number of first starts that add their compiled functions to the cache. After these it contains the code
 * that this person uses. The count must fit into the byte that stores it.
 */
const addingStarts = 16;

/**
 * Milliseconds after which a process that continues stores its code. By then the code of its start is
 * compiled, and V8 has dropped none of it yet.
 */
const addAfterMilliseconds = 5000;

/**
 * Loads a CommonJS file as `require` does, with the compiled code that earlier starts left in the cache. The
 * gain is in docs/performance.md ("What start-up keeps").
 *
 * @param file in ASCII, as build.mjs ensures: a single other character would double the size of the text
 * @param cache cache for exactly this file's contents, which V8 does not compare
 */
export const loadCompiled = (file: string, cache: CodeCache | undefined): unknown => {
	const load = createRequire(file);
	if (cache === undefined) return load(file);
	const name = path.basename(file);
	const stored = cache.read(name);
	const script = new Script(wrap(readFileSync(file, 'latin1')), {
		filename: file,
		...(stored && {cachedData: stored.subarray(0, -1)}),
		importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
	});
	const starts = script.cachedDataRejected ? 0 : (stored?.at(-1) ?? 0);
	if (starts < addingStarts) {
		whenStarted(() => {
			releaseHeap();
			const code = script.createCachedData();
			try {
				cache.keep(name, Buffer.concat([code, Buffer.of(starts + 1)]));
			} catch {
				// Without it the next start compiles again.
			}
		});
	}
	const loaded = {exports: {}};
	const evaluate: (...given: unknown[]) => void = script.runInThisContext();
	evaluate(loaded.exports, load, loaded, file, path.dirname(file));
	return loaded.exports;
};

/** Calls at the exit of this process, or after a while if it continues. */
const whenStarted = (work: () => void): void => {
	setTimeout(() => {
		process.off('exit', work);
		work();
	}, addAfterMilliseconds).unref();
	process.once('exit', work);
};
