// Puts hive's row cache and bounded measuring in the place of three modules that Ink 6.8 draws with (source/dashboard/ink/).
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

const inkModule = /[\\/]ink[\\/]build[\\/](output|measure-text)\.js$/;
const ours = name => JSON.stringify(resolve('source/dashboard/ink', name));

/** esbuild plugin; run from the root of the repository. */
export const inkRowCache = {
	name: 'ink-row-cache',
	setup: builder => {
		builder.onLoad({filter: inkModule, namespace: 'file'}, ({path}) => ({
			resolveDir: resolve('.'),
			contents: path.endsWith('measure-text.js')
				? `export {measureText as default} from ${ours('measure-text.ts')};`
				: `import Stock from ${JSON.stringify(`${path}?stock`)};
import {withRowCache} from ${ours('row-cache.ts')};
export default withRowCache(Stock);`,
		}));
		builder.onLoad({filter: /[\\/]widest-line[\\/]index\.js$/, namespace: 'file'}, () => ({
			resolveDir: resolve('.'),
			contents: `export {widestLine as default} from ${ours('measure-text.ts')};`,
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
