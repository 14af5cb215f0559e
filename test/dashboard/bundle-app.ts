import {build, type Plugin} from 'esbuild';
import {inkOnTerminals} from '../../build/ink-on-terminals.mjs';
import {reactErrors} from '../../build/react-errors.mjs';

/**
 * Bundles a program that uses the dashboard as the product is bundled: React's production build, no devtools.
 */
export const bundleApp = async (entry: string, outfile: string, plugins: Plugin[]): Promise<string> => {
	await build({
		entryPoints: [entry],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node20',
		jsx: 'automatic',
		define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
		banner: {
			js: "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);",
		},
		plugins: [inkOnTerminals, reactErrors, ...plugins],
		logLevel: 'error',
	});
	return outfile;
};
