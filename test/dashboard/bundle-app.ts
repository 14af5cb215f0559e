import {build, type Plugin} from 'esbuild';

/** Bundles a program that uses the dashboard as the product is bundled: React's production build, no devtools. */
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
		plugins: [inkWithoutDevtools, ...plugins],
		logLevel: 'error',
	});
	return outfile;
};

const inkWithoutDevtools: Plugin = {
	name: 'ink-without-devtools',
	setup: ({onLoad}) => onLoad({filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/}, () => ({contents: ''})),
};
