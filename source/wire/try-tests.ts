import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sanitizeText} from '../domain/sanitize.ts';
import {runWithin} from '../drivers/run-within.ts';
import type {Surroundings, TriedTests} from '../host/host.ts';
import {removeCheckout} from '../workspaces/worktree/remove-checkout.ts';
import {git} from './drivers.ts';
import {findRoot} from './find-root.ts';

/** Maximum time of setup and tests together. */
const maxMs = 120_000;

/**
 * Runs the project's tests once on a clean copy of the last commit, as hive would check a proposal. The
 * copy is removed.
 */
export const tryTests = async (
	{cwd}: Surroundings,
	commands: readonly (readonly string[])[],
	signal: AbortSignal,
): Promise<TriedTests> => {
	const root = await findRoot(cwd);
	const folder = await mkdtemp(join(tmpdir(), 'hive-tests-'));
	const copy = join(folder, 'copy');
	try {
		const added = await git.attempt(['worktree', 'add', '--quiet', '--detach', '--', copy, 'HEAD'], {
			cwd: root,
		});
		if (added.exitCode !== 0) return {passed: false, reason: 'there is no commit to test', tail: ''};
		const end = performance.now() + maxMs;
		for (const argv of commands) {
			const timeoutMs = Math.max(0, end - performance.now());
			const {exitCode, isLate, tail} = await runWithin(argv, {cwd: copy, timeoutMs, signal});
			signal.throwIfAborted();
			const name = `"${argv.join(' ')}"`;
			if (isLate) return failed(`${name} took longer than two minutes`, tail);
			if (exitCode === undefined) return failed(`${name} could not be run to its end`, tail);
			if (exitCode !== 0) return failed(`${name} failed with exit code ${exitCode}`, tail);
		}
		return {passed: true};
	} finally {
		await removeCheckout(git, root, copy, {force: true});
		await rm(folder, {recursive: true, force: true});
	}
};

const failed = (reason: string, tail: string): TriedTests => ({
	passed: false,
	reason,
	tail: sanitizeText(tail).text,
});
