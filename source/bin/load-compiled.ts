import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import * as nodeModule from 'node:module';
import path from 'node:path';
import {constants, Script} from 'node:vm';
import {releaseHeap} from '../drivers/heap-bounds.ts';

/** Starts that add the functions they compiled: by then what this person uses is there. Fits the byte it is stored in. */
const addingStarts = 16;

/** A process that goes on has compiled by then what its start takes, and V8 has dropped none of it yet. */
const addAfterMilliseconds = 5000;

/**
 * Loads a CommonJS file as `require` does, with the compiled code that earlier starts left in that folder. From Node 22.1 on the
 * platform does this; on Node 20 it takes `hive status` from 3.5 to 2.2 times `node -e 0`, and the dashboard with Ink from 0.33 to
 * 0.17 of bare Ink. Where the folder cannot be written, every start compiles.
 *
 * @param file in ASCII, as build.mjs sees to: one other character would double what the text takes
 * @param folder belongs to the contents of that file, which V8 does not compare
 */
export const loadCompiled = (file: string, folder: string): unknown => {
	const load = nodeModule.createRequire(file);
	if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') {
		nodeModule.enableCompileCache(folder);
		return load(file);
	}
	const cache = path.join(folder, `${path.basename(file)}-${process.version}-${process.arch}`);
	const stored = readIfThere(cache);
	const script = new Script(nodeModule.wrap(readFileSync(file, 'latin1')), {
		filename: file,
		...(stored && {cachedData: stored.subarray(0, -1)}),
		importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
	});
	const starts = script.cachedDataRejected ? 0 : (stored?.at(-1) ?? 0);
	if (starts < addingStarts) {
		whenStarted(() => {
			releaseHeap();
			keep(cache, Buffer.concat([script.createCachedData(), Buffer.of(starts + 1)]));
		});
	}
	const loaded = {exports: {}};
	const evaluate: (...given: unknown[]) => void = script.runInThisContext();
	evaluate(loaded.exports, load, loaded, file, path.dirname(file));
	return loaded.exports;
};

/** At the exit of this process, or while it goes on. */
const whenStarted = (work: () => void): void => {
	setTimeout(() => {
		process.off('exit', work);
		work();
	}, addAfterMilliseconds).unref();
	process.once('exit', work);
};

const readIfThere = (file: string): Buffer | undefined => {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
};

const keep = (file: string, code: Buffer): void => {
	const unfinished = `${file}.${process.pid}`;
	try {
		writeFileSync(unfinished, code, {mode: 0o600});
		renameSync(unfinished, file);
	} catch {
		// Without it the next start compiles again.
	}
};
