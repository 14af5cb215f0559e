import {execFile} from 'node:child_process';
import type {ForgePlace} from '../../ports/forge.ts';
import {gitHostOf} from './git-login.ts';

/** Milliseconds. */
const askTimeoutMs = 5000;

/** The token of GitHub's own command `gh`, if a person is logged in with it. */
export const askGithubCommand = (
	place: Pick<ForgePlace, 'provider' | 'api'>,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> =>
	new Promise(resolve => {
		const args = ['auth', 'token', '--hostname', gitHostOf(place)];
		execFile('gh', args, {env: {...env}, timeout: askTimeoutMs}, (error, stdout) =>
			resolve(error === null ? stdout.trim() || undefined : undefined),
		);
	});
