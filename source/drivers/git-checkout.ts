import {createHash} from 'node:crypto';
import {
	accessSync,
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	realpathSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {join, normalize, resolve} from 'node:path';
import {errorCode} from '../domain/error-code.ts';
import {type GitSetting, parseGitSettings} from '../domain/git-settings.ts';
import type {GitFolders, KnownSettings} from '../ports/git.ts';
import {createTurnCache} from './turn-cache.ts';

/** Facts that git reports about a folder. */
export type CheckoutFacts = {
	readonly settings: readonly GitSetting[];
	/** Absent outside a repository. */
	readonly folders?: GitFolders;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the facts that every guarded call needs. It asks git again only after a change in a file that git
 * itself reads to find the answer. The bytes are compared, not the times: a file that is mapped into memory
 * can change without a new time.
 * @param ask runs git with nothing guarded; returns its standard output, or undefined if it failed
 * @param initialSettings settings of worktrees that another process already knows
 */
export const createCheckoutReader = (
	ask: (cwd: string, args: readonly string[]) => Promise<string | undefined>,
	environment: Environment,
	initialSettings?: KnownSettings,
) => {
	const known = new Map<string, {facts: CheckoutFacts; evidence: string}>();
	/**
	 * Settings by evidence. The answer for one checkout holds for the other worktrees of the repository, as
	 * long as they read the same files.
	 */
	const shared = new Map<string, readonly GitSetting[]>(
		initialSettings && [[initialSettings.evidence, initialSettings.settings]],
	);
	const keep = (
		cwd: string,
		facts: CheckoutFacts,
		{evidence, ofSettings}: CheckoutSnapshot,
	): CheckoutFacts => {
		if (known.size >= maxCheckouts) known.clear();
		if (shared.size >= maxCheckouts) shared.clear();
		known.set(cwd, {facts, evidence});
		shared.set(ofSettings, facts.settings);
		return facts;
	};
	const find = async (cwd: string, before: CheckoutSnapshot | undefined): Promise<CheckoutFacts> => {
		const isAtTop = before?.isPlainWorktree === true && before.top === cwd;
		const settingsOfOthers = isAtTop ? shared.get(before.ofSettings) : undefined;
		if (isAtTop && settingsOfOthers !== undefined)
			return keep(cwd, {settings: settingsOfOthers, folders: foldersOf(before)}, before);
		const [list, folders] = await Promise.all([
			ask(cwd, ['config', '--list', '--show-scope', '-z']),
			isAtTop ? foldersOf(before) : readFolders(args => ask(cwd, args)),
		]);
		const settings = parseGitSettings(list ?? '');
		if (folders === undefined) return {settings};
		const facts = {settings, folders};
		if (list === undefined || folders.prefix !== '' || settings.some(leadsElsewhere)) return facts;
		const after = readSnapshot(cwd, environment);
		const isSame = before !== undefined && after?.evidence === before.evidence;
		if (isSame && after.own === folders.own && after.common === folders.common) keep(cwd, facts, after);
		return facts;
	};
	/** Questions that git is answering now, so that equal questions share one answer. */
	const asking = new Map<string, Promise<CheckoutFacts>>();
	const snapshots = createTurnCache<CheckoutSnapshot>();
	/** Returns the known settings for a folder; undefined if git must be asked. */
	const knownSettings = (cwd: string): KnownSettings | undefined => {
		const {ofSettings: evidence = ''} = readSnapshot(cwd, environment) ?? {};
		const settings = shared.get(evidence);
		return settings && {evidence, settings};
	};
	const read = async (cwd: string): Promise<CheckoutFacts> => {
		const before = snapshots.get(cwd) ?? readSnapshot(cwd, environment);
		if (before !== undefined) snapshots.set(cwd, before);
		const earlier = known.get(cwd);
		if (earlier && before?.evidence === earlier.evidence) return earlier.facts;
		known.delete(cwd);
		if (before === undefined) return find(cwd, before);
		const question = `${before.evidence} ${cwd}`;
		const asked = asking.get(question) ?? find(cwd, before).finally(() => asking.delete(question));
		asking.set(question, asked);
		return asked;
	};
	return {read, knownSettings};
};

const maxCheckouts = 256;

const foldersOf = ({own, common}: CheckoutSnapshot): GitFolders => ({own, common, prefix: ''});

const readFolders = async (
	ask: (args: readonly string[]) => Promise<string | undefined>,
): Promise<GitFolders | undefined> => {
	const read = async (...args: string[]) =>
		(await ask(['rev-parse', '--path-format=absolute', ...args]))?.replace(/\n$/, '');
	const asked = ['--git-dir', '--git-common-dir', '--show-prefix'];
	const all = await read(...asked);
	if (all === undefined) return undefined;
	const lines = all.split('\n');
	// A path may contain line breaks.
	const answers =
		lines.length === asked.length ? lines : await Promise.all(asked.map(argument => read(argument)));
	const [own = '', common = '', prefix = ''] = answers;
	return {own, common, prefix};
};

/** True for a setting that includes other files, whose paths only git can find. */
const leadsElsewhere = ({key}: GitSetting): boolean => /^include(?:if)?\./.test(key);

type CheckoutSnapshot = Pick<GitFolders, 'own' | 'common'> & {
	readonly top: string;
	/** Hash of everything that git reads to find the answer. */
	readonly evidence: string;
	/** Hash of the files that contain settings. */
	readonly ofSettings: string;
	/**
	 * True for a linked worktree as git made it and opens it: owned by this user, with a HEAD that git can
	 * read.
	 */
	readonly isPlainWorktree: boolean;
};

/**
 * Follows git's own way from a folder to the settings of its checkout. Returns undefined if git could go
 * another way, or might not find the same twice. No link is followed, since it may lead elsewhere the next
 * time, and in another process. Synchronous, since it precedes every call: a dozen small reads finish sooner
 * than a call of the thread pool.
 */
const readSnapshot = (cwd: string, environment: Environment): CheckoutSnapshot | undefined => {
	try {
		const top = realpathSync.native(cwd);
		const gitFile = lstatSync(`${top}/.git`).isDirectory() ? undefined : bytesOf(`${top}/.git`, unlinked);
		const own = gitFile === undefined ? `${top}/.git` : pathIn(/^gitdir: (.+)\n?$/, gitFile, top);
		const head = bytesOf(`${own}/HEAD`, unlinked);
		const commondir = bytesOf(`${own}/commondir`, unlinked);
		const common = commondir === undefined ? own : pathIn(/^(.+)\n?$/, commondir, own);
		const config = commonBytesOf(`${common}/config`, path => bytesOf(path, unlinked));
		if (head === undefined || config === undefined) return undefined;
		if (!['objects', 'refs'].every(folder => isOpenFolder(`${common}/${folder}`))) return undefined;
		const ofWorktree = bytesOf(`${own}/config.worktree`, unlinked);
		const ofUser = filesOfUser(environment).map(path => commonBytesOf(path, bytesOfUser));
		const ofSettings = hashOf([common, config, ofWorktree, ...ofUser]);
		const evidence = hashOf([top, gitFile, head, commondir, ofSettings]);
		const isPlainWorktree = gitFile !== undefined && isHead(head) && [top, `${top}/.git`, own].every(isOwn);
		return {top, own, common, evidence, ofSettings, isPlainWorktree};
	} catch {
		return undefined;
	}
};

/** Reads a path from the contents of a git file, relative to `folder`. Throws if the path contains a link. */
const pathIn = (form: RegExp, bytes: Uint8Array, folder: string): string => {
	const [, path = ''] =
		form.exec(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)) ?? [];
	const to = resolve(folder, path);
	if (path !== '' && normalize(path) === path && realpathSync.native(to) === to) return to;
	throw new Error(`"${path}" is not the plain path of a folder.`);
};

const isHead = (bytes: Uint8Array): boolean =>
	/^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(new TextDecoder().decode(bytes));

/** Git opens another user's repository only if it was declared safe. */
const isOwn = (path: string): boolean => lstatSync(path).uid === process.getuid?.();

const isOpenFolder = (path: string): boolean => {
	accessSync(path, constants.X_OK);
	return lstatSync(path).isDirectory();
};

const unlinked = constants.O_NOFOLLOW;

/** Max size, in bytes, of a file that is read before every call. */
const maxFileBytes = 256 * 1024;

/**
 * Returns the file's bytes, or undefined if it is missing. Throws for anything but a regular file of at most
 * `largest` bytes: a pipe, for example, has other bytes each time.
 */
const bytesOf = (path: string, flags = 0): Uint8Array | undefined => {
	const file = openIfThere(path, flags);
	if (file === undefined) return undefined;
	try {
		const found = fstatSync(file);
		if (found.isFile() && found.size <= maxFileBytes) return readFileSync(file);
		throw new Error(`${path} is not a file that is read before every call.`);
	} finally {
		closeSync(file);
	}
};

/** Reads a file that all checkouts of a repository share, once per turn of the event loop. */
const commonBytesOf = (
	path: string,
	read: (path: string) => Uint8Array | undefined,
): Uint8Array | undefined => {
	const known = commonFiles.get(path) ?? {bytes: read(path)};
	commonFiles.set(path, known);
	return known.bytes;
};

const commonFiles = createTurnCache<{readonly bytes: Uint8Array | undefined}>();

/** Calls lstat first. For a missing file this is much cheaper than the error of `open`. */
const openIfThere = (path: string, flags: number): number | undefined => {
	if (lstatSync(path, {throwIfNoEntry: false}) === undefined) return undefined;
	try {
		return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
};

const filesOfUser = ({
	HOME = homedir(),
	XDG_CONFIG_HOME,
	GIT_CONFIG_GLOBAL,
	GIT_CONFIG_SYSTEM,
}: Environment): readonly string[] => [
	GIT_CONFIG_GLOBAL ?? join(HOME, '.gitconfig'),
	join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'config'),
	GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
];

/** Reads a settings file of the user. An unreadable one, for example `/dev/null`, counts as none. */
const bytesOfUser = (path: string): Uint8Array | undefined => {
	try {
		return bytesOf(path);
	} catch {
		return undefined;
	}
};

const hashOf = (parts: readonly (string | Uint8Array | undefined)[]): string => {
	const hash = createHash('sha256');
	for (const part of parts) {
		const bytes = part === undefined ? undefined : Buffer.from(part);
		hash.update(`${bytes?.length ?? 'none'}\n`).update(bytes ?? '');
	}
	return hash.digest('hex');
};
