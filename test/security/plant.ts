import {readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {Repository} from '../helpers/repository.ts';

/** Returns the file in which planted programs record that they ran. */
export const marksOf = ({root}: Repository): string => join(tmpdir(), `${basename(root)}-ran`);

/** Returns a command that records the given kind of planted code when it runs. */
const program = (repository: Repository, way: string): string =>
	`mkdir -p ${marksOf(repository)}; touch ${marksOf(repository)}/${way}; cat`;

/**
 * Plants code in every way that a repository allows: filters, merge and diff drivers, hooks, the file monitor
 * and more.
 */
export const plantEverything = async (repository: Repository): Promise<void> => {
	const {git, write} = repository;
	onTestFinished(() =>
		rm(marksOf(repository), {recursive: true, force: true, maxRetries: 5, retryDelay: 100}),
	);
	const run = (way: string) => program(repository, way);
	const settings: Record<string, string> = {
		'filter.evil.clean': run('clean'),
		'filter.evil.smudge': run('smudge'),
		'filter.a=b.clean': run('equals'),
		'filter.deep.process': run('process'),
		'filter.deep.required': 'true',
		'merge.evil.driver': `${run('merge')} >/dev/null </dev/null`,
		'diff.evil.command': run('diff'),
		'diff.evil.textconv': run('textconv'),
		'diff.external': run('external'),
		'core.fsmonitor': run('fsmonitor'),
		'core.sshCommand': run('ssh'),
		'core.editor': run('editor'),
		'core.pager': run('pager'),
		'gc.recentObjectsHook': run('recent'),
		'gc.auto': '1',
		'alias.diff-tree': `!${run('alias')}`,
		'gpg.program': run('gpg'),
		'merge.verifySignatures': 'true',
		'commit.gpgSign': 'true',
		'submodule.recurse': 'true',
	};
	for (const [key, value] of Object.entries(settings)) await git(['config', key, value]);
	const hooks = ['post-checkout', 'post-merge', 'pre-merge-commit', 'post-commit', 'post-index-change'];
	for (const hook of [...hooks, 'reference-transaction', 'pre-auto-gc', 'post-rewrite'])
		await write(`.git/hooks/${hook}`, `#!/bin/sh\n${run(`hook-${hook}`)} </dev/null\n`, 0o755);
	await write(
		'.git/info/attributes',
		'*.txt filter=evil diff=evil merge=evil\n*.bin filter=deep\n*.eq filter=a=b\n',
	);
};

/** Returns the kinds of planted code that ran. */
export const whatRan = (repository: Repository): Promise<string[]> =>
	readdir(marksOf(repository)).catch(() => []);
