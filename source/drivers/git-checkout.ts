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
import {createTurnMemory} from './turn-memory.ts';

/** What git says of the folder it is called in. */
export type CheckoutFacts = {
	readonly settings: readonly GitSetting[];
	/** Absent outside of a repository. */
	readonly folders?: GitFolders;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what every guarded call has to know. Git is asked anew only when something has changed that git
 * itself reads on its way to the answer. The bytes are compared: no time is proof of them, since a file that
 * is mapped into memory changes without.
 * @param ask runs git with nothing guarded; the answer is its standard output, or nothing when it failed
 * @param given what another process knows of the settings of worktrees
 */
export const createCheckoutReader = (
	ask: (cwd: string, args: readonly string[]) => Promise<string | undefined>,
	environment: Environment,
	given?: KnownSettings,
) => {
	const known = new Map<string, {facts: CheckoutFacts; evidence: string}>();
	/**
	 * What git said of one checkout holds for the others that it makes of the repository, as long as they read
	 * the same files.
	 */
	const shared = new Map<string, readonly GitSetting[]>(given && [[given.evidence, given.settings]]);
	const keep = (cwd: string, facts: CheckoutFacts, {evidence, ofSettings}: Look): CheckoutFacts => {
		if (known.size >= mostCheckouts) known.clear();
		if (shared.size >= mostCheckouts) shared.clear();
		known.set(cwd, {facts, evidence});
		shared.set(ofSettings, facts.settings);
		return facts;
	};
	const find = async (cwd: string, before: Look | undefined): Promise<CheckoutFacts> => {
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
		const after = lookAt(cwd, environment);
		const isSame = before !== undefined && after?.evidence === before.evidence;
		if (isSame && after.own === folders.own && after.common === folders.common) keep(cwd, facts, after);
		return facts;
	};
	/** What git is being asked, for those who would ask the same meanwhile. */
	const asking = new Map<string, Promise<CheckoutFacts>>();
	const looks = createTurnMemory<Look>();
	/** Of the settings that are known by now; nothing where git has to be asked. */
	const knownSettings = (cwd: string): KnownSettings | undefined => {
		const {ofSettings: evidence = ''} = lookAt(cwd, environment) ?? {};
		const settings = shared.get(evidence);
		return settings && {evidence, settings};
	};
	const read = async (cwd: string): Promise<CheckoutFacts> => {
		const before = looks.get(cwd) ?? lookAt(cwd, environment);
		if (before !== undefined) looks.set(cwd, before);
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

const mostCheckouts = 256;

const foldersOf = ({own, common}: Look): GitFolders => ({own, common, prefix: ''});

const readFolders = async (
	ask: (args: readonly string[]) => Promise<string | undefined>,
): Promise<GitFolders | undefined> => {
	const read = async (...what: string[]) =>
		(await ask(['rev-parse', '--path-format=absolute', ...what]))?.replace(/\n$/, '');
	const asked = ['--git-dir', '--git-common-dir', '--show-prefix'];
	const all = await read(...asked);
	if (all === undefined) return undefined;
	const lines = all.split('\n');
	// A path may have line breaks of its own.
	const answers = lines.length === asked.length ? lines : await Promise.all(asked.map(what => read(what)));
	const [own = '', common = '', prefix = ''] = answers;
	return {own, common, prefix};
};

/** Settings of files that only git can name. */
const leadsElsewhere = ({key}: GitSetting): boolean => /^include(?:if)?\./.test(key);

type Look = Pick<GitFolders, 'own' | 'common'> & {
	readonly top: string;
	/** Of all that git reads on its way. */
	readonly evidence: string;
	/** Of the files that settings are in. */
	readonly ofSettings: string;
	/** A linked work tree that git opens, as it made it: of this user, with a HEAD that it can read. */
	readonly isPlainWorktree: boolean;
};

/**
 * Goes git's own way from a folder to the settings of its checkout. Nothing where git could go another way,
 * or is not sure to find the same twice: no link is followed, since it may lead elsewhere the next time, and
 * in another process. Synchronous, since it comes before every call, and a dozen small reads are done sooner
 * than handed to another thread.
 */
const lookAt = (cwd: string, environment: Environment): Look | undefined => {
	try {
		const top = realpathSync.native(cwd);
		const link = lstatSync(`${top}/.git`).isDirectory() ? undefined : bytesOf(`${top}/.git`, unlinked);
		const own = link === undefined ? `${top}/.git` : pathIn(/^gitdir: (.+)\n?$/, link, top);
		const head = bytesOf(`${own}/HEAD`, unlinked);
		const commondir = bytesOf(`${own}/commondir`, unlinked);
		const common = commondir === undefined ? own : pathIn(/^(.+)\n?$/, commondir, own);
		const config = commonBytesOf(`${common}/config`, path => bytesOf(path, unlinked));
		if (head === undefined || config === undefined) return undefined;
		if (!['objects', 'refs'].every(folder => isOpenFolder(`${common}/${folder}`))) return undefined;
		const ofWorktree = bytesOf(`${own}/config.worktree`, unlinked);
		const ofUser = filesOfUser(environment).map(path => commonBytesOf(path, bytesOfUser));
		const ofSettings = hashOf([common, config, ofWorktree, ...ofUser]);
		const evidence = hashOf([top, link, head, commondir, ofSettings]);
		const isPlainWorktree = link !== undefined && isHead(head) && [top, `${top}/.git`, own].every(isOwn);
		return {top, own, common, evidence, ofSettings, isPlainWorktree};
	} catch {
		return undefined;
	}
};

/**
 * What is written in a file of git's, as a path from the folder that it counts from; throws when a link is on
 * the way.
 */
const pathIn = (form: RegExp, bytes: Uint8Array, folder: string): string => {
	const [, path = ''] =
		form.exec(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)) ?? [];
	const to = resolve(folder, path);
	if (path !== '' && normalize(path) === path && realpathSync.native(to) === to) return to;
	throw new Error(`"${path}" is not the plain path of a folder.`);
};

const isHead = (bytes: Uint8Array): boolean =>
	/^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(new TextDecoder().decode(bytes));

/** Git opens no repository of another user's that nobody declared safe. */
const isOwn = (path: string): boolean => lstatSync(path).uid === process.getuid?.();

const isOpenFolder = (path: string): boolean => {
	accessSync(path, constants.X_OK);
	return lstatSync(path).isDirectory();
};

const unlinked = constants.O_NOFOLLOW;

/** Bytes of a file that is read before every call. */
const largest = 256 * 1024;

/**
 * Nothing when there is none; throws for all but a regular file of some size; a pipe, for example, has other
 * bytes each time.
 */
const bytesOf = (path: string, flags = 0): Uint8Array | undefined => {
	const file = openIfThere(path, flags);
	if (file === undefined) return undefined;
	try {
		const found = fstatSync(file);
		if (found.isFile() && found.size <= largest) return readFileSync(file);
		throw new Error(`${path} is not a file that is read before every call.`);
	} finally {
		closeSync(file);
	}
};

/** Of a file that all checkouts of a repository have in common, read once in a turn of the event loop. */
const commonBytesOf = (
	path: string,
	read: (path: string) => Uint8Array | undefined,
): Uint8Array | undefined => {
	const known = commonFiles.get(path) ?? {bytes: read(path)};
	commonFiles.set(path, known);
	return known.bytes;
};

const commonFiles = createTurnMemory<{readonly bytes: Uint8Array | undefined}>();

/** A look costs a fraction of the error that says that there is none. */
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

/** `/dev/null` for example stands for none. */
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
