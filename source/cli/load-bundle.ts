import {readFileSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {createRequire, wrap} from 'node:module';
import path from 'node:path';
import {constants, Script} from 'node:vm';
import {exitCodes} from '../domain/error-table.ts';

/**
 * Loads a CommonJS file as `require` does, with the compiled code that an earlier start left beside it: compiling it costs more
 * than most commands. The first start for a purpose writes that code when it ends; where the folder cannot be written, every
 * start compiles, and a line that was mistyped leaves nothing.
 *
 * @param file in ASCII, as build.mjs sees to: one other character would double what the text takes
 * @param purpose what the file is loaded for, as part of a file name: starts for one purpose run much the same code
 */
export const loadBundle = (file: string, purpose = ''): unknown => {
	const cache = cacheOf(file, purpose);
	const cachedData = readIfThere(cache);
	const script = new Script(wrap(readFileSync(file, 'latin1')), {
		filename: file,
		...(cachedData && {cachedData}),
		importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
	});
	if (cachedData === undefined || script.cachedDataRejected) {
		process.once('exit', code => code === exitCodes.usage || keep(cache, script.createCachedData()));
	}
	const loaded = {exports: {}};
	const evaluate: (...given: unknown[]) => void = script.runInThisContext();
	evaluate(loaded.exports, createRequire(file), loaded, file, path.dirname(file));
	return loaded.exports;
};

/** V8 tells sources apart by their length alone, so the name tells which file it is of. */
const cacheOf = (file: string, purpose: string): string => {
	const {size, mtimeMs} = statSync(file);
	return `${file}.${size}-${Math.trunc(mtimeMs)}${purpose && `.${purpose}`}.cache`;
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
		writeFileSync(unfinished, code);
		renameSync(unfinished, file);
	} catch {
		// A read-only installation works without it.
	}
};
