// What packages cost that hive does without, beside what it uses instead, bundled as hive is and with
// compiled code (docs/packages.md): npm install --prefix /tmp/packages meow@14.1.0 execa@9.6.1
// simple-git@4.0.2 && node test/bench/packages.mjs /tmp/packages
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {build} from 'esbuild';

const packages = path.resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(path.join(tmpdir(), 'hive-packages-'));
const starts = 25;
const calls = 150;

/**
 * Each program is loaded, used once, and then prints its time. The git programs also print the time of one
 * more call.
 */
const own = name => JSON.stringify(path.resolve('source', name));
const flags = `{body: {type: 'string', shortFlag: 'b'}, title: {type: 'string'}, json: {type: 'boolean'}}`;
const words = `['-b', 'Something to do', '--json', 'more']`;
const limits = '{stdout: 1e8, stderr: 1e8}';
const programs = {
	'arguments: util.parseArgs (read-argv.ts)': `import {readArgv} from ${own('cli/read-argv.ts')};
		export const once = () => readArgv(${words}, {body: {kind: 'text', short: 'b'}, title: {kind: 'text'}, json: {kind: 'boolean'}});`,
	'arguments: meow': `import meow from 'meow';
		export const once = () => meow('usage', {importMeta: import.meta, argv: ${words}, autoHelp: false, autoVersion: false, flags: ${flags}});`,
	'process: spawn (run-to-end.ts)': `import {runToEnd} from ${own('drivers/run-to-end.ts')};
		export const once = () => runToEnd('/bin/true', [], {cwd: '.', env: process.env, limits: ${limits}});`,
	'process: execa': `import {execa} from 'execa';
		export const once = () => execa('/bin/true', [], {env: process.env, extendEnv: false, detached: true, stdin: 'ignore', encoding: 'buffer'});`,
	'git rev-parse: spawn (run-to-end.ts)': `import {runToEnd} from ${own('drivers/run-to-end.ts')};
		export const once = () => runToEnd('git', ['rev-parse', 'HEAD'], {cwd: '.', env: process.env, limits: ${limits}});`,
	'git rev-parse: execa': `import {execa} from 'execa';
		export const once = () => execa('git', ['rev-parse', 'HEAD'], {env: process.env, extendEnv: false, detached: true, stdin: 'ignore', encoding: 'buffer'});`,
	'git rev-parse: simple-git': `import {simpleGit} from 'simple-git';
		const git = simpleGit('.');
		export const once = () => git.raw('rev-parse', 'HEAD');`,
};

const runner = `const {loadCompiled, openCodeCache} = require(process.argv[2]);
const begin = performance.now();
const {once} = loadCompiled(process.argv[3], openCodeCache(process.argv[4], process.env));
const use = async () => {
	await once();
	const first = performance.now() - begin;
	const more = [];
	for (let call = 0; call < Number(process.argv[5]); call++) {
		const start = performance.now();
		await once();
		more.push(performance.now() - start);
	}
	process.stdout.write(JSON.stringify({first, more}));
};
use();`;

const bundle = async (contents, outfile) => {
	await build({
		stdin: {contents, resolveDir: packages, loader: 'ts'},
		...{outfile, bundle: true, format: 'cjs', platform: 'node', target: 'node20', minify: true},
		define: {'import.meta': 'bundleMeta', 'process.env.NODE_ENV': '"production"'},
		banner: {js: "const bundleMeta = {url: require('node:url').pathToFileURL(__filename).href};"},
		supported: {'dynamic-import': false},
	});
};

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const {NODE_EXTRA_CA_CERTS: _, ...env} = process.env;

await bundle(
	`export {loadCompiled} from ${own('bin/load-compiled.ts')}; export {openCodeCache} from ${own('bin/code-cache.ts')};`,
	path.join(folder, 'load.cjs'),
);
writeFileSync(path.join(folder, 'runner.cjs'), runner);
const rows = [];
for (const [index, [name, contents]] of Object.entries(programs).entries()) {
	const file = path.join(folder, `${index}.cjs`);
	await bundle(contents, file);
	rows.push({name, file, index, firsts: [], more: []});
}
const run = ({file, index}, more) =>
	JSON.parse(
		execFileSync(
			process.execPath,
			[path.join(folder, 'runner.cjs'), path.join(folder, 'load.cjs'), file, String(index), String(more)],
			{env: {...env, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder}, encoding: 'utf8'},
		),
	);
for (let start = -2; start < starts; start++) {
	for (const row of rows) {
		const {first} = run(row, 0);
		if (start >= 0) row.firsts.push(first);
	}
}
for (let round = 0; round < 3; round++)
	for (const row of rows) row.more.push(...run(row, calls).more.slice(20));
for (const {name, firsts, more} of rows) {
	console.log(
		`${name.padEnd(42)} first ${median(firsts).toFixed(1).padStart(5)} ms  each more ${median(more).toFixed(2)} ms`,
	);
}
rmSync(folder, {recursive: true});
