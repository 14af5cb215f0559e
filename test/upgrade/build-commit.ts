import {execFileSync} from 'node:child_process';
import {rmSync, symlinkSync} from 'node:fs';
import {join, resolve} from 'node:path';

const git = (args: readonly string[], cwd = '.'): string =>
	execFileSync('git', args, {cwd, encoding: 'utf8'}).trim();

/** The last commit whose fold differs from that of this one: what an upgrade has most trouble with. */
export const commitBeforeFold = (): string => {
	const changed = ['log', '-1', '--format=%H', '-Gexport const foldVersion = [0-9]+'];
	return git(['rev-parse', `${git([...changed, '--', 'source/ledger/checkpoint.ts'])}^`]);
};

/** Builds the command of a commit, with the packages of this checkout. Returns its path. */
export const buildCommit = (commit: string, folder: string): string => {
	const checkout = join(folder, 'checkout');
	const packages = resolve('node_modules');
	git(['worktree', 'add', '--quiet', '--detach', checkout, commit]);
	try {
		for (const place of [checkout, folder]) symlinkSync(packages, join(place, 'node_modules'));
		execFileSync(process.execPath, ['build.mjs', join(folder, 'dist')], {cwd: checkout, stdio: 'inherit'});
	} finally {
		rmSync(join(checkout, 'node_modules'));
		git(['worktree', 'remove', '--force', checkout]);
	}
	return join(folder, 'dist/hive.cjs');
};
