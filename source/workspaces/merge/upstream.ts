import {accepted, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import {formatTransfer, type GitSetting, transferSettings} from '../../domain/git-settings.ts';
import {type Git, timedOut} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {isAncestor, resolve} from '../trees/objects.ts';
import type {Base} from './base.ts';

/** The branch of a remote that a base is shared through (docs/rules.md §9, `land.push`). */
export type Upstream = {
	/** Name of the remote. */
	readonly remote: string;
	/** Full ref of the branch there. */
	readonly ref: string;
	/** For people: `origin/main`. */
	readonly name: string;
	/** Its newest commit, as of the fetch. */
	readonly commit: string;
};

/** Settings that a person accepted with `hive init`, about transfers as `formatTransfer` writes them. */
export type AcceptedTransfers = ReadonlySet<string>;

export const fetchTimeoutMs = 30_000;
export const pushTimeoutMs = 120_000;

/**
 * Fetches the upstream of a base. Refused with `not_shared` if the base has none, if its address is not
 * accepted, or if it cannot be reached.
 */
export const fetchUpstream = async (
	git: Git,
	root: string,
	base: Pick<Base, 'ref' | 'name'>,
	known: AcceptedTransfers,
): Promise<Outcome<Upstream>> => {
	const found = await findUpstream(git, root, base, known);
	if (!found.ok) return found;
	const {remote, ref, name} = found.value;
	const own = `refs/hive/upstream/${base.name}`;
	const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
	const fetch = async () => {
		const fetched = await git.attempt(['fetch', ...options, '--', remote, `+${ref}:${own}`], {
			cwd: root,
			timeoutMs: fetchTimeoutMs,
		});
		const commit = fetched.exitCode === 0 ? await resolve(git, root, own) : undefined;
		return {value: {fetched, commit}, ids: commit === undefined ? [] : [commit]};
	};
	const {fetched, commit} = await writeBesideCleanUp(git, root, fetch, {makesPacks: true});
	return commit === undefined
		? unreachable(base, name, reasonOf(fetched))
		: accepted({...found.value, commit});
};

/**
 * Tells why a base could not be shared now, as far as that is known without changing anything; undefined if
 * its upstream answers a push.
 */
export const refuseUnshared = async (
	git: Git,
	root: string,
	base: Base,
	known: AcceptedTransfers,
): Promise<Refused | undefined> => {
	const found = await findUpstream(git, root, base, known);
	if (!found.ok) return found;
	const {remote, ref, name} = found.value;
	const options = ['--dry-run', '--porcelain', '--no-follow-tags', '--no-recurse-submodules', '--no-verify'];
	const tried = await git.attempt(['push', ...options, '--', remote, `${base.commit}:${ref}`], {
		cwd: root,
		timeoutMs: fetchTimeoutMs,
	});
	// A base that is behind is rejected, by an upstream that answers.
	const answers = tried.exitCode === 0 || /^!\t\S+\t\[rejected\]/m.test(tried.stdout);
	return answers ? undefined : unreachable(base, name, reasonOf(tried));
};

/** Finds the upstream that git's settings name, if a person has accepted the way there. */
const findUpstream = async (
	git: Git,
	root: string,
	base: Pick<Base, 'ref' | 'name'>,
	known: AcceptedTransfers,
): Promise<Outcome<Omit<Upstream, 'commit'>>> => {
	const format = '%(upstream:remotename)%00%(upstream:remoteref)';
	const [remote = '', ref = ''] = (
		await git.run(['for-each-ref', `--format=${format}`, '--', base.ref], {cwd: root})
	).split('\0');
	if (remote === '' || remote === '.' || ref === '') return withoutUpstream(base);
	const strange = await unacceptedTransfers(git, root, {remote, branch: base.name}, known);
	if (strange.length > 0) return unacceptedAddress(base, strange);
	return accepted({remote, ref, name: `${remote}/${ref.replace(/^refs\/heads\//, '')}`});
};

/** The settings on the way to a remote that no person has accepted. */
export const unacceptedTransfers = async (
	git: Git,
	root: string,
	{remote, branch}: {readonly remote: string; readonly branch: string},
	known: AcceptedTransfers,
): Promise<readonly GitSetting[]> =>
	transferSettings(await git.settings(root)).filter(
		setting => isOnTheWay(setting, remote, branch) && !known.has(formatTransfer(setting)),
	);

/** True if the setting matters for this remote and this branch. */
const isOnTheWay = ({key}: GitSetting, remote: string, branch: string): boolean =>
	(!key.startsWith('remote.') || key.startsWith(`remote.${remote}.`)) &&
	(!key.startsWith('branch.') || key === `branch.${branch}.merge`);

/**
 * Pushes a merge to the upstream, provided that this still is at the commit that was fetched. Never forced:
 * the merge has that commit as its parent. Refused with `stale_view` if the upstream moved, else with
 * `not_shared`. A push whose answer was lost counts if the upstream has the merge.
 */
export const pushMerge = async (
	git: Git,
	root: string,
	{
		base,
		upstream,
		known,
	}: {readonly base: Base; readonly upstream: Upstream; readonly known: AcceptedTransfers},
	merge: string,
): Promise<Outcome<void>> => {
	const {remote, ref, name, commit} = upstream;
	const options = ['--porcelain', '--no-follow-tags', '--no-recurse-submodules', '--no-verify'];
	const lease = `--force-with-lease=${ref}:${commit}`;
	const pushed = await git.attempt(['push', ...options, lease, '--', remote, `${merge}:${ref}`], {
		cwd: root,
		timeoutMs: pushTimeoutMs,
	});
	if (pushed.exitCode === 0) return accepted(undefined);
	const now = await fetchUpstream(git, root, base, known);
	if (!now.ok) return now;
	if (await isAncestor(git, root, merge, now.value.commit)) return accepted(undefined);
	if (now.value.commit !== commit) return movedMeanwhile(base, name);
	return refusedThere(base, name, reasonOf(pushed));
};

const noAnswer = 'it did not answer in time';

/** What git or the other side says in its own words: the last lines that are not about progress. */
export const reasonOf = ({
	exitCode,
	stdout,
	stderr,
}: {
	exitCode: number;
	stdout: string;
	stderr: string;
}): string => {
	if (exitCode === timedOut) return noAnswer;
	const [, refused] = /^!\t\S+\t(.*)$/m.exec(stdout) ?? [];
	return [refused ?? '', stderr].join('\n');
};

/** At most three lines and 300 characters of what a remote printed. */
export const shorten = (text: string): string =>
	text
		.split('\n')
		.filter(line => !/^(?:hint:|To |error: failed to push)/.test(line))
		.map(line => line.replace(/^(?:remote|fatal|error): */, '').trim())
		.filter(Boolean)
		.slice(0, 3)
		.join('; ')
		.slice(0, 300) || 'git gives no reason';

const withoutUpstream = ({name}: Pick<Base, 'name'>): Refused =>
	refuse('not_shared', {
		message: `${name} has no upstream, and "land.push" is required; nothing was changed.`,
		hint: `Set one with "git push --set-upstream <remote> ${name}", then try again.`,
	});

const unacceptedAddress = ({name}: Pick<Base, 'name'>, settings: readonly GitSetting[]): Refused =>
	refuse('not_shared', {
		message: `You have not accepted yet where ${name} is fetched from and pushed to; nothing was changed.`,
		hint: 'Run "hive init" in this clone: it shows the address, and accepts it. Then try again.',
		details: settings.map(setting => {
			const note = formatTransfer(setting);
			return {path: setting.key, message: `is not accepted: ${note.slice(setting.key.length + 1)}`};
		}),
	});

const unreachable = ({name}: Pick<Base, 'name'>, upstream: string, reason: string): Refused =>
	refuse('not_shared', {
		message: `${upstream} could not be fetched: ${shorten(reason)}. Nothing was changed.`,
		hint: `Mend the network or the address ("git fetch" shows the problem), then try again. ${name} is shared through it.`,
	});

const refusedThere = ({name}: Pick<Base, 'name'>, upstream: string, reason: string): Refused =>
	refuse('not_shared', {
		message: `${upstream} did not accept the merge: ${shorten(reason)}. ${name} was not changed.`,
		hint: 'Get the right to push there, or set "land: {push: none}" in .hive/colony.yaml. Then approve again.',
	});

const movedMeanwhile = ({name}: Pick<Base, 'name'>, upstream: string): Refused =>
	refuse('stale_view', {
		message: `${upstream} moved while the merge was being pushed; ${name} was not changed.`,
	});
