// Puts four modules of hive's in the place of those that Ink 6.8 measures, cuts and puts together its texts
// with (source/dashboard/ink/). Two are what Ink has, with something added.
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

const ours = name => JSON.stringify(resolve('source/dashboard/ink', name));
const inkModule = /[\\/](ink[\\/]build[\\/](output|measure-text|wrap-text)|widest-line[\\/]index)\.js$/;

const around = (path, name, file) => `import stock from ${JSON.stringify(`${path}?stock`)};
import {${name}} from ${ours(file)};
export default ${name}(stock);`;

const replacements = {
	output: path => around(path, 'withRowCache', 'row-cache.ts'),
	'wrap-text': path => around(path, 'withoutMemory', 'wrap-text.ts'),
	'measure-text': () => `export {measureText as default} from ${ours('measure-text.ts')};`,
	index: () => `export {widestLine as default} from ${ours('measure-text.ts')};`,
};

/** esbuild plugin; run from the root of the repository. */
export const inkRowCache = {
	name: 'ink-row-cache',
	setup: builder => {
		builder.onLoad({filter: inkModule, namespace: 'file'}, ({path}) => ({
			resolveDir: resolve('.'),
			contents: replacements[path.match(/([\w-]+)\.js$/)[1]](path),
		}));
		builder.onResolve({filter: /\?stock$/}, ({path}) => ({
			path: path.replace(/\?stock$/, ''),
			namespace: 'stock-ink',
		}));
		builder.onLoad({filter: /.*/, namespace: 'stock-ink'}, async ({path}) => ({
			contents: await readFile(path, 'utf8'),
			resolveDir: resolve(path, '..'),
		}));
	},
};
