import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import {formatTransfer} from '../../domain/git-settings.ts';
import {type Git, timedOut} from '../../ports/git.ts';
import {resolve} from '../trees/objects.ts';
import {
	type AcceptedTransfers,
	fetchTimeoutMs,
	pushTimeoutMs,
	reasonOf,
	shorten,
	unacceptedTransfers,
} from './upstream.ts';

/** The way to the repository at a forge. */
export type ForgeRemote = {
	/** Name of the remote in git. */
	readonly remote: string;
	/** Settings that a person accepted with `hive init`. */
	readonly known: AcceptedTransfers;
	/** Variables with which git gets the login of the forge. Absent: git's own means. */
	readonly env?: Readonly<Record<string, string>>;
};

const plain = ['--no-recurse-submodules'];

/** With a login of hive's own, no other program is asked for one. */
const loginOnly = ({env}: ForgeRemote): readonly string[] =>
	env === undefined ? [] : ['-c', 'credential.helper='];

/**
 * Pushes a commit to a branch of the forge, provided that the branch is where hive left it. Does nothing if
 * it has the commit already. Refused with `not_published`, or with
 * `forge_unreachable` if trying again may help.
 *
 * @param lease the commit that hive pushed there last; empty if it pushed none
 */
export const publishBranch = async (
	git: Git,
	root: string,
	to: ForgeRemote,
	{branch, commit, lease}: {readonly branch: string; readonly commit: string; readonly lease: string},
): Promise<Outcome<void>> => {
	const strange = await refuseUnaccepted(git, root, to, branch);
	if (strange !== undefined) return strange;
	const ref = `refs/heads/${branch}`;
	const options = ['--porcelain', '--no-follow-tags', '--no-verify', ...plain];
	const ask = (args: readonly string[]) =>
		git.attempt([...loginOnly(to), ...args], {
			...{cwd: root, timeoutMs: pushTimeoutMs},
			...(to.env && {env: to.env}),
		});
	const push = (expected: string) =>
		ask(['push', ...options, `--force-with-lease=${ref}:${expected}`, '--', to.remote, `${commit}:${ref}`]);
	let pushed = await push(lease);
	// A forge may remove the branch of a request that ended. There is nothing to overwrite then.
	if (lease !== '' && isRejected(pushed)) {
		const listed = await ask(['ls-remote', '--exit-code', '--', to.remote, ref]);
		if (listed.exitCode === noMatch) pushed = await push('');
	}
	if (pushed.exitCode === 0) return accepted(undefined);
	if (isRejected(pushed))
		return refuse('not_published', {
			message: `The branch ${branch} at ${to.remote} has commits that hive did not push; nothing was changed there.`,
			hint: `See them with "git fetch ${to.remote} ${branch}". Take them into the worktree, or remove the branch there. Then approve again.`,
		});
	if (isOutage(pushed)) return noAnswer(to);
	return refuse('not_published', {
		message: `${to.remote} did not accept the branch ${branch}: ${shorten(reasonOf(pushed))}.`,
		hint: 'Get the right to push there, or mend the address or the token: "hive doctor" tests them. Then approve again.',
	});
};

/**
 * Fetches a branch of the forge into `refs/hive/upstream/<branch>`. Returns its newest commit. Refused as
 * by `publishBranch`.
 */
export const fetchBranch = async (
	git: Git,
	root: string,
	from: ForgeRemote,
	branch: string,
): Promise<Outcome<string>> => {
	const strange = await refuseUnaccepted(git, root, from, branch);
	if (strange !== undefined) return strange;
	const own = `refs/hive/upstream/${branch}`;
	const options = ['--quiet', '--no-tags', '--no-write-fetch-head', ...plain];
	const args = ['fetch', ...options, '--', from.remote, `+refs/heads/${branch}:${own}`];
	const fetched = await git.attempt([...loginOnly(from), ...args], {
		cwd: root,
		timeoutMs: fetchTimeoutMs,
		...(from.env && {env: from.env}),
	});
	const commit = fetched.exitCode === 0 ? await resolve(git, root, own) : undefined;
	if (commit !== undefined) return accepted(commit);
	if (isOutage(fetched)) return noAnswer(from);
	return refuse('not_published', {
		message: `${branch} of ${from.remote} could not be fetched: ${shorten(reasonOf(fetched))}.`,
		hint: `Mend the network or the address: "git fetch ${from.remote}" shows the problem.`,
	});
};

/** Exit code of `git ls-remote --exit-code` if the remote answers, and has no such ref. */
const noMatch = 2;

/** True if the branch is not where it was expected. */
const isRejected = ({stdout}: GitEnd): boolean =>
	/^!\t\S+\t\[rejected\] \((?:stale info|fetch first|non-fast-forward)\)/m.test(stdout);

type GitEnd = {readonly exitCode: number; readonly stdout: string; readonly stderr: string};

/** True for what passes by itself: no network, no answer, or a failure of the server. */
const isOutage = ({exitCode, stderr}: GitEnd): boolean =>
	exitCode === timedOut ||
	/could not resolve host|failed to connect|couldn't connect|connection (?:refused|reset|timed out)|network is unreachable|operation timed out|empty reply|early eof|unexpected disconnect|the requested url returned error: 5\d\d/i.test(
		stderr,
	);

const noAnswer = ({remote}: ForgeRemote): Refused =>
	refuse('forge_unreachable', {message: `The remote ${remote} did not answer; nothing was changed there.`});

const refuseUnaccepted = async (
	git: Git,
	root: string,
	{remote, known}: ForgeRemote,
	branch: string,
): Promise<Refused | undefined> => {
	const strange = await unacceptedTransfers(git, root, {remote, branch}, known);
	if (strange.length === 0) return undefined;
	return refuse('not_published', {
		message: `You have not accepted yet where the remote ${remote} leads; nothing was sent.`,
		hint: 'Run "hive init" in this clone: it shows the address, and accepts it. Then approve again.',
		details: strange.map(setting => ({
			path: setting.key,
			message: `is not accepted: ${formatTransfer(setting).slice(setting.key.length + 1)}`,
		})),
	});
};
