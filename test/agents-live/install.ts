import {execFile} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';

/** Installs packages with exact versions, unless all of them are installed. */
export const install = async (where: string, packages: readonly string[]): Promise<void> => {
	const areThere = await Promise.all(packages.map(wanted => isInstalled(where, wanted)));
	if (areThere.every(Boolean)) return;
	await mkdir(where, {recursive: true});
	await writeFile(join(where, 'package.json'), '{"private": true}\n');
	const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
	await promisify(execFile)('npm', ['install', ...flags, ...packages], {cwd: where});
};

const isInstalled = async (where: string, wanted: string): Promise<boolean> => {
	const at = wanted.lastIndexOf('@');
	const manifest = join(where, 'node_modules', wanted.slice(0, at), 'package.json');
	const content = await readFile(manifest, 'utf8').catch(() => '{}');
	return JSON.parse(content).version === wanted.slice(at + 1);
};
