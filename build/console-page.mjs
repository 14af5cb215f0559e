// The page of the console as files that its server holds: one script, one style, nothing from elsewhere.
import {readFile} from 'node:fs/promises';
import {build} from 'esbuild';

const folder = 'source/console/page';

/** `files` by path, and what esbuild says of what is in them. Run from the root of the repository. */
export const consolePage = async () => {
	const {outputFiles, metafile} = await build({
		entryPoints: {app: `${folder}/main.tsx`, page: `${folder}/page.css`},
		outdir: 'page',
		bundle: true,
		format: 'esm',
		target: 'es2022',
		minify: true,
		charset: 'ascii',
		legalComments: 'none',
		write: false,
		metafile: true,
		define: {'process.env.NODE_ENV': '"production"'},
	});
	const text = extension => outputFiles.find(({path}) => path.endsWith(extension))?.text ?? '';
	return {
		metafile,
		files: {
			'/': {type: 'text/html; charset=utf-8', text: await readFile(`${folder}/index.html`, 'utf8')},
			'/app.js': {type: 'text/javascript; charset=utf-8', text: text('.js')},
			'/page.css': {type: 'text/css; charset=utf-8', text: text('.css')},
			'/icon.svg': {type: 'image/svg+xml', text: await readFile(`${folder}/icon.svg`, 'utf8')},
		},
	};
};
