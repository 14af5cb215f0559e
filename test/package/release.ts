import {execFile, execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseArgs, promisify} from 'node:util';
import {neededPackages, packed, startRegistry} from './local-registry.ts';
import {faultsOf} from './release-checks.ts';

/**
 * Checks the package as it would be published, installs it from a registry of its own on several versions of
 * Node, and publishes it: `npm run release`. With `--dry-run` it publishes nothing. Exits with 1 at a
 * fault. The tarball and the formula are in `--out`.
 */
const {values} = parseArgs({
	options: {
		'dry-run': {type: 'boolean', default: false},
		/** Versions beside the one that runs this, from the registry that npm is set to. */
		node: {type: 'string', multiple: true, default: ['22', '24']},
		out: {type: 'string', default: 'node_modules/.hive-release/out'},
	},
});
const isDryRun = values['dry-run'];
const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'hive-release-'));
const at = (...names: string[]): string => path.join(folder, ...names);
const faults: string[] = [];

const step = async (
	words: string,
	work: () => Promise<readonly string[]> | readonly string[],
): Promise<void> => {
	const found = await Promise.resolve()
		.then(work)
		.catch((error: unknown) => [`${words}: ${error instanceof Error ? error.message : String(error)}`]);
	faults.push(...found);
	console.log(found.length === 0 ? `ok     ${words}` : found.map(fault => `FAULT  ${fault}`).join('\n'));
};

try {
	for (const name of ['packed', 'content']) mkdirSync(at(name));
	const {file, files, unpackedSize} = packed('.', at('packed'));
	execFileSync('tar', ['-xzf', file, '-C', at('content')]);
	const contentsOf = (name: string): string => readFileSync(at('content', 'package', name), 'utf8');
	const manifest = JSON.parse(contentsOf('package.json'));
	const {name, version} = manifest;
	await step(`the package ${name} ${version}: ${files.length} files, ${unpackedSize} bytes`, () =>
		faultsOf({
			...{manifest, files, unpackedSize, contentsOf, isDryRun},
			locked: JSON.parse(readFileSync('package-lock.json', 'utf8')),
			changelog: readFileSync('CHANGELOG.md', 'utf8'),
			checkout: process.cwd(),
		}),
	);
	if (!isDryRun) await step('the checkout is what was tagged', () => faultsOfCheckout(version));
	const registry = await startRegistry(neededPackages, at('packed'), [{file, manifest}]);
	try {
		for (const node of [undefined, ...values.node])
			await step(`installed and run with Node ${node ?? process.versions.node}`, () =>
				tryWith(node, {name, version, registry: registry.url}),
			);
	} finally {
		registry.close();
	}
	mkdirSync(values.out, {recursive: true});
	cpSync(file, path.join(values.out, path.basename(file)));
	writeFileSync(path.join(values.out, 'hive.rb'), formulaOf(file, manifest));
	if (faults.length > 0) process.exitCode = 1;
	else if (isDryRun) console.log(`Nothing was published. ${values.out} has the package and its formula.`);
	else execFileSync('npm', ['publish', file], {stdio: 'inherit'});
} finally {
	rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
}

function faultsOfCheckout(version: string): readonly string[] {
	const git = (...args: string[]): string => execFileSync('git', args, {encoding: 'utf8'}).trim();
	return [
		...(git('status', '--porcelain') === '' ? [] : ['The checkout has changes that are not committed.']),
		...(git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)
			? []
			: [`HEAD has no tag v${version}. Make it with: git tag v${version}`]),
	];
}

type Tried = {readonly name: string; readonly version: string; readonly registry: string};

/** Installs the package with a version of Node, runs its demo, and starts it by its name alone. */
async function tryWith(
	node: string | undefined,
	{name, version, registry}: Tried,
): Promise<readonly string[]> {
	const place = at(`node-${node ?? 'own'}`);
	for (const sub of ['home', 'bin', 'tmp']) mkdirSync(path.join(place, sub), {recursive: true});
	symlinkSync(
		node === undefined ? process.execPath : await fetchNode(node, place),
		path.join(place, 'bin/node'),
	);
	const env = {
		...{
			PATH: [path.join(place, 'bin'), process.env.PATH].join(path.delimiter),
			HOME: path.join(place, 'home'),
		},
		...{TMPDIR: path.join(place, 'tmp'), HIVE_DEMO_PACE: '0'},
		...{npm_config_registry: registry, npm_config_cache: path.join(place, 'cache')},
	};
	const options = {env, cwd: path.join(place, 'home')};
	const prefix = path.join(place, 'prefix');
	await run('npm', ['install', '--global', name, '--prefix', prefix], options);
	const hive = path.join(prefix, 'bin/hive');
	const said = (await run(hive, ['--version'], options)).stdout.trim();
	const {stdout} = await run(hive, ['demo'], options);
	const byName = (await run('npx', ['--yes', name, '--version'], options)).stdout.trim();
	return [
		...[said, byName].flatMap(each => (each === version ? [] : [`It says that it is version "${each}".`])),
		...(/^Merged into main: [0-9a-f]{40}$/m.test(stdout) ? [] : [`The demo merged nothing: ${stdout}`]),
	];
}

/** Installs the program of this version of Node, and returns its path. */
async function fetchNode(version: string, place: string): Promise<string> {
	const named = `node-${process.platform}-${process.arch}`;
	const prefix = path.join(place, 'node');
	await run('npm', ['install', '--prefix', prefix, `${named}@${version}`]);
	return path.join(prefix, 'node_modules', named, 'bin/node');
}

function formulaOf(
	file: string,
	{version, repository}: {version: string; repository: {url: string}},
): string {
	const home = repository.url.replace(/^git\+|\.git$/g, '');
	const url = `${home}/releases/download/v${version}/${path.basename(file)}`;
	const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
	return readFileSync('packaging/hive.rb', 'utf8').replace('@url@', url).replace('@sha256@', sum);
}
