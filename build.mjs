// Bundles the command into files: a tiny start that answers what it can alone, the commands, each evaluated when it is asked for, the
// dashboard, the console with its page, the chat gateway, the watcher of pull requests, the MCP server, the client of ACP agents, what holds a session, and the client of a message bus. All are CommonJS: on Node 20, what is split into ES modules takes 3.7 times a start of node for a
// command and CommonJS 3.5 times, 2.2 with its compiled code, and that code can be kept of CommonJS alone.
// "node build.mjs [folder]"; the folder is dist unless named. What an earlier build left there is removed.
import {createHash} from 'node:crypto';
import {cp, mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {build} from 'esbuild';
import {busClient, busClientApart} from './build/bus-client.mjs';
import {consolePage} from './build/console-page.mjs';
import {inkOnTerminals} from './build/ink-on-terminals.mjs';
import {inkRowCache} from './build/ink-row-cache.mjs';
import {licencesOf} from './build/licences.mjs';
import {manPage} from './build/man-page.mjs';
import {reactErrors} from './build/react-errors.mjs';
import {readyAtOnce} from './build/ready-at-once.mjs';

/** Native, and installed beside the bundle. */
const external = ['@photostructure/sqlite', '@lydell/node-pty'];

const outdir = process.argv[2] ?? 'dist';
const shared = {
	outdir,
	bundle: true,
	format: 'cjs',
	outExtension: {'.js': '.cjs'},
	platform: 'node',
	target: 'node20',
	minifySyntax: true,
	minifyWhitespace: true,
	legalComments: 'none',
	write: false,
	metafile: true,
	// React's production build, and no development mode of Ink where DEV=true.
	define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
};

/** Each file appears whole, so a command that starts meanwhile never reads half of one. */
const replaceFolder = async (folder, files) => {
	await mkdir(folder, {recursive: true});
	const kept = new Set(files.map(file => path.basename(file.path)));
	for (const {path: file, contents} of files) {
		const unfinished = `${file}.${process.pid}.new`;
		await writeFile(unfinished, contents, {mode: file.endsWith('.cjs') ? 0o755 : 0o644});
		await rename(unfinished, file);
	}
	for (const entry of await readdir(folder, {withFileTypes: true})) {
		if (entry.isFile() && !kept.has(entry.name)) await rm(path.join(folder, entry.name));
	}
};

/** They are read as ASCII (source/bin/load-compiled.ts); esbuild escapes what is not, except in patterns. */
const expectAscii = ({path: file, text}) => {
	const [other] = /[^\0-\x7f]/.exec(text) ?? [];
	if (other !== undefined) throw new Error(`${file} holds "${other}"; write it as an escape.`);
};

/** What agents find on PATH under the name of the command. */
const launcher = '#!/bin/sh\nexec node "$(dirname "$0")/../hive.cjs" "$@"\n';

/** Loaded by the start, which keeps their compiled code; code that comes from there cannot import. */
const kept = {
	banner: {js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;"},
	define: {...shared.define, 'import.meta.url': 'bundleUrl'},
	supported: {'dynamic-import': false},
	minifyIdentifiers: true,
};
const page = await consolePage();
const loaded = await Promise.all([
	build({...shared, ...kept, entryPoints: {main: 'source/bin/main.ts'}, external, plugins: [busClientApart]}),
	build({
		...shared,
		...kept,
		entryPoints: {dashboard: 'source/dashboard/main.ts'},
		plugins: [inkOnTerminals, readyAtOnce, inkRowCache, reactErrors],
	}),
	build({
		...shared,
		...kept,
		entryPoints: {console: 'source/console/main.ts'},
		define: {...kept.define, pageFiles: JSON.stringify(page.files)},
	}),
	build({...shared, ...kept, entryPoints: {chat: 'source/chat/main.ts'}}),
	build({...shared, ...kept, entryPoints: {mcp: 'source/bin/mcp.ts'}}),
	build({...shared, ...kept, entryPoints: {acp: 'source/bin/acp.ts'}}),
	build({...shared, ...kept, entryPoints: {forge: 'source/bin/forge.ts'}}),
]);
const bundles = loaded.flatMap(({outputFiles}) => outputFiles);
const hash = createHash('sha256');
for (const {contents} of bundles) hash.update(contents);
const start = await build({
	...shared,
	entryPoints: {hive: 'source/bin/hive.ts'},
	define: {...shared.define, contentHash: JSON.stringify(hash.digest('hex').slice(0, 16))},
});
/** Processes of their own: the holder goes on when this folder is replaced. */
const processes = await build({
	...shared,
	minifyIdentifiers: true,
	entryPoints: {
		'hold-session': 'source/bin/hold-session.ts',
		'take-tree': 'source/bin/take-tree.ts',
		'contain-proxy': 'source/bin/contain-proxy.ts',
	},
	external,
});
/** A thread of the dashboard and the console, loaded when a diff is first asked for. */
const highlighter = await build({
	...shared,
	minifyIdentifiers: true,
	entryPoints: {'highlight-code': 'source/highlight/thread.ts'},
});
const client = await build({
	...shared,
	...busClient,
	outfile: path.join(outdir, 'bus-client.cjs'),
	outdir: undefined,
});
[...start.outputFiles, ...bundles, ...processes.outputFiles, ...highlighter.outputFiles].forEach(expectAscii);
const files = [
	...start.outputFiles,
	...bundles,
	...processes.outputFiles,
	...highlighter.outputFiles,
	...client.outputFiles,
];
await replaceFolder(outdir, files);
await mkdir(path.join(outdir, 'bin'), {recursive: true});
await writeFile(path.join(outdir, 'bin', 'hive'), launcher, {mode: 0o755});
const bundled = [start, processes, highlighter, client, page, ...loaded].flatMap(({metafile}) =>
	Object.keys(metafile.inputs),
);
await writeFile(path.join(outdir, 'third-party-licences.txt'), await licencesOf(bundled));
const {version} = JSON.parse(await readFile('package.json', 'utf8'));
await writeFile(path.join(outdir, 'hive.1'), await manPage(version));
await cp('source/drivers/processes/supervisor.pl', path.join(outdir, 'supervisor.pl'));
await cp('demo', path.join(outdir, 'demo'), {recursive: true});
