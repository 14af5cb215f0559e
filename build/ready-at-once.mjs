// Makes Ink ready as soon as it is evaluated, so that the dashboard can be CommonJS, whose compiled code is
// kept (source/bin/load-compiled.ts). What that is worth is in docs/performance.md ("What start-up keeps").
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

const wasm = /data:application\/octet-stream;base64,([\w+/=]+)/;
const engine = /[\\/]yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/;
const engineCode = /[\\/]yoga-wasm-base64-esm\.js$/;

/** What is changed in which file: patterns with their replacements. */
const changes = [
	// Ink waits for its development mode, and for its layout engine below.
	{
		file: /[\\/]ink[\\/]build[\\/]reconciler\.js$/,
		texts: [
			[/await import\('\.\/devtools/, "import('./devtools"],
			[/await loadPackageJson/, 'loadPackageJson'],
		],
	},
	{file: engineCode, texts: [[wasm, 'data:application/octet-stream;base64,']]},
];

/** Instantiates at once what the stock module fetches from its own text and waits for. */
const engineAtOnce = `import bytes from '../binaries/yoga-wasm-base64-esm.js?wasm';
import loadYoga from '../binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from './wrapAssembly.js';
const engine = {
	instantiateWasm: (imports, done) => {
		const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
		done(instance);
		return instance.exports;
	},
};
loadYoga(engine);
export default wrapAssembly(engine);
export * from './generated/YGEnums.js';`;

/** esbuild plugin, for Ink 6.8. */
export const readyAtOnce = {
	name: 'ready-at-once',
	setup: builder => {
		for (const {file, texts} of changes) {
			builder.onLoad({filter: file, namespace: 'file'}, async ({path}) => ({
				contents: texts.reduce(changed, await readFile(path, 'utf8')),
			}));
		}
		// One of it for all: older ones, which wrap texts, find other widths.
		builder.onResolve({filter: /^string-width$/}, () => ({
			path: resolve('node_modules/string-width/index.js'),
		}));
		builder.onLoad({filter: engine}, () => ({contents: engineAtOnce}));
		builder.onResolve({filter: /\?wasm$/}, ({path, resolveDir}) => ({
			path: new URL(path.replace(/\?wasm$/, ''), `file://${resolveDir}/`).pathname,
			namespace: 'engine-bytes',
		}));
		builder.onLoad({filter: engineCode, namespace: 'engine-bytes'}, async ({path}) => ({
			contents: Buffer.from(wasm.exec(await readFile(path, 'utf8'))?.[1] ?? '', 'base64'),
			loader: 'binary',
		}));
	},
};

/** The text with that replaced; another version of a package has to be looked at again. */
const changed = (text, [pattern, replacement]) => {
	const result = text.replace(pattern, replacement);
	if (result === text) throw new Error(`Nothing in it matches ${pattern}.`);
	return result;
};
