import {existsSync} from 'node:fs';
import {copyFile, lstat, mkdir, mkdtemp, readdir, rm, stat, utimes} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {errorCode} from '../domain/error-code.ts';
import {errorMessage} from '../domain/error-message.ts';
import {HiveError} from '../domain/errors.ts';
import {overridesOf} from '../domain/git-settings.ts';
import {type Git, type GitOptions, type KnownSettings, timedOut} from '../ports/git.ts';
import {createCheckoutReader} from './git-checkout.ts';
import {guards, inheritedByGit, quiet, unfetched} from './git-environment.ts';
import {type RunToEnd, runToEnd} from './run-to-end.ts';
import {hasStrangeAttributes, withoutStrangeAttributes} from './strange-attributes.ts';

const settings = guards.flatMap(setting => ['-c', setting]);

const nothing: ReadonlySet<string> = new Set();

/** Max bytes of output if the caller sets no limit of its own. More is a fault. */
const outputLimit = 256 * 1024 * 1024;

/** Commands that run no filter, merge driver or hook, and write no file, whatever is configured. */
const inert: ReadonlySet<string | undefined> = new Set([
	'commit-tree',
	'config',
	'for-each-ref',
	'merge-base',
	'rev-list',
	'rev-parse',
]);

/**
 * @param environment git's environment, without the variables that would name another repository
 * @param accepted settings of the repository that may run programs, as `noteOfSetting` writes them; all
 * others are left out
 * @param runProgram runs git
 * @param initialSettings settings of worktrees that another process already knows
 */
export const createGit = (
	environment: Readonly<Record<string, string | undefined>> = process.env,
	accepted: () => Promise<ReadonlySet<string>> = async () => new Set<string>(),
	runProgram: RunToEnd = runToEnd,
	initialSettings?: KnownSettings,
): Git => {
	const start = starting(runProgram);
	const inherited = inheritedByGit(environment);
	const ask = async (cwd: string, args: readonly string[]) => {
		const {exitCode, stdout} = await start(args, {cwd}, {...inherited, ...unfetched});
		return exitCode === 0 ? stdout : undefined;
	};
	const {read: readCheckout, knownSettings} = createCheckoutReader(ask, inherited, initialSettings);
	const folders: Git['folders'] = async cwd => {
		const {folders: found} = await readCheckout(cwd);
		if (found) return found;
		throw new HiveError('not_a_repository', {message: `${cwd} is not in a git repository.`});
	};
	const overrides = async (cwd: string) => {
		const {settings: found} = await readCheckout(cwd);
		const all = overridesOf(found, nothing);
		return all.length === 0 ? all : overridesOf(found, await accepted());
	};
	const attempt: Git['attempt'] = async (args, options) => {
		const checkouts = isInert(args) ? [] : [options.cwd, ...(options.enters ? [options.enters] : [])];
		const guards = (await Promise.all(checkouts.map(overrides))).flat();
		const moved = guards.some(([key]) => key === 'core.worktree');
		const where =
			moved && options.env?.GIT_DIR === undefined
				? {GIT_WORK_TREE: checkoutAround(folderOf(args, options))}
				: {};
		const environment = {
			...inherited,
			...(isInert(args) ? unfetched : asEnvironment(guards, inherited)),
			...where,
		};
		const repeat = async (own: Readonly<Record<string, string>>) => {
			for (let tries = 1; ; tries++) {
				const result = await start(args, options, {...environment, ...own});
				if (!metAnother(result) || tries === maxTries) return result;
				await setTimeout(retryDelayMs);
			}
		};
		const {folders: found} = readsAttributes(args, options) ? await readCheckout(options.cwd) : {};
		return found === undefined ? repeat({}) : withoutStrangeAttributes(found, accepted, withScratch, repeat);
	};
	const run: Git['run'] = async (args, options) => {
		const {exitCode, stdout, stderr} = await attempt(args, options);
		if (exitCode === 0) return stdout.replace(/\n$/, '');
		throw new HiveError('internal', {
			message: `git ${args.join(' ')} failed: ${stderr.trim() || `exit ${exitCode}`}`,
		});
	};
	return {
		attempt,
		run,
		settings: async cwd => (await readCheckout(cwd)).settings,
		knownSettings: async cwd => knownSettings(cwd),
		leftOut: async cwd => {
			const {common} = await folders(cwd);
			const [settings, isStrange] = await Promise.all([
				overrides(cwd),
				hasStrangeAttributes(common, accepted),
			]);
			return [...settings.map(([key]) => key), ...(isStrange ? ['info/attributes'] : [])];
		},
		folders,
		withScratch: async (cwd, work) => withScratch((await folders(cwd)).own, work),
		withIndexCopy: async (cwd, work) => withIndexCopy((await folders(cwd)).own, work),
	};
};

/**
 * True if git failed because of another git's work, before it did anything. Editors and prompts lock the
 * index for a moment each time they ask. A git that makes a worktree creates its record before it writes it.
 * Reading the empty record raises no error, and git then prints the reason of some earlier error.
 */
const metAnother = ({exitCode, stderr}: {readonly exitCode: number; readonly stderr: string}) =>
	exitCode === 128 &&
	/^fatal: (?:failed to read .*worktrees\/.*\/commondir: [^\n]*|Unable to create '.*index\.lock': File exists\.)$/ms.test(
		stderr,
	);

/** True if git adds files to a tree, or merges two trees. Attributes of a path change the result. */
const readsAttributes = (args: readonly string[], {env = {}}: GitOptions): boolean =>
	env.GIT_DIR === undefined && (args.includes('merge-tree') || env.GIT_INDEX_FILE !== undefined);

const maxTries = 100;
const retryDelayMs = 20;

/**
 * True if the settings of a checkout cannot matter. `--show-toplevel` is an exception, since a setting may
 * move the files of a checkout.
 */
const isInert = (args: readonly string[]): boolean => inert.has(args[0]) && !args.includes('--show-toplevel');

const folderOf = ([first, folder]: readonly string[], {cwd}: GitOptions): string =>
	first === '-C' && folder !== undefined ? folder : cwd;

/** Returns the folder that git would find as the checkout if no setting moved it. */
const checkoutAround = (folder: string): string => {
	const isHere = existsSync(join(folder, '.git'));
	return isHere || folder === dirname(folder) ? folder : checkoutAround(dirname(folder));
};

/**
 * Passes settings as numbered variables: on the command line git would misread a name that contains a `=`.
 */
const asEnvironment = (
	pairs: readonly (readonly [string, string])[],
	{GIT_CONFIG_COUNT}: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
	if (pairs.length === 0) return {};
	const first = Number(GIT_CONFIG_COUNT) || 0;
	return Object.fromEntries([
		...pairs.flatMap(([key, value], index) => [
			[`GIT_CONFIG_KEY_${first + index}`, key],
			[`GIT_CONFIG_VALUE_${first + index}`, value],
		]),
		['GIT_CONFIG_COUNT', String(first + pairs.length)],
		...Object.entries(unfetched),
	]);
};

const starting =
	(runProgram: RunToEnd) =>
	async (
		args: readonly string[],
		{cwd, env, input, asBytes = false, maxBytes, timeoutMs}: GitOptions,
		inherited: Readonly<Record<string, string | undefined>>,
	) => {
		const ended = await runProgram('git', [...settings, ...args], {
			cwd,
			env: {...inherited, ...quiet, ...env},
			limits: {stdout: maxBytes ?? outputLimit, stderr: outputLimit},
			...(input === undefined ? {} : {input}),
			...(timeoutMs === undefined ? {} : {timeoutMs}),
		}).catch(error => didNotRun(cwd, error));
		const truncated = ended.overflow === 'stdout' && maxBytes !== undefined;
		const exitCode = truncated ? 0 : ended.isTimedOut ? timedOut : ended.exitCode;
		if (exitCode === undefined)
			return didNotRun(cwd, ended.overflow && `it wrote more than ${outputLimit} bytes`);
		return {
			exitCode,
			stdout: asBytes ? ended.stdout.toString('latin1') : decode(ended.stdout, truncated),
			stderr: decode(ended.stderr, false),
			truncated,
		};
	};

const didNotRun = (cwd: string, reason: Error | string = 'it was stopped'): never => {
	throw new HiveError('internal', {
		message: `git did not run in ${cwd}: ${errorMessage(reason)}`,
		hint: 'Check that git 2.38 or newer is on PATH and that the folder is there.',
		cause: reason,
	});
};

/** Decodes UTF-8. A character that was cut at the end is left out. */
const decode = (bytes: Uint8Array, cut: boolean): string => new TextDecoder().decode(bytes, {stream: cut});

const withIndexCopy = <Value>(
	own: string,
	work: (env: {GIT_INDEX_FILE: string}) => Promise<Value>,
): Promise<Value> =>
	withScratch(own, async folder => {
		const copy = join(folder, 'index');
		await copyWithTime(join(own, 'index'), copy).catch(ignoreMissing);
		return work({GIT_INDEX_FILE: copy});
	});

/** @param own the git folder of a checkout */
const withScratch = async <Value>(own: string, work: (folder: string) => Promise<Value>): Promise<Value> => {
	const ours = join(own, 'hive');
	await mkdir(ours, {recursive: true});
	// An agent can put a link there, and the sweep removes old entries of the folder.
	if ((await lstat(ours)).isSymbolicLink())
		throw new HiveError('repository_damaged', {
			message: `${ours} is a link.`,
			hint: 'hive keeps files of its own there: remove the link.',
		});
	await sweep(ours);
	const folder = await mkdtemp(join(ours, `scratch-${process.pid}-${hostname()}-`));
	try {
		return await work(folder);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

/** Removes leftovers of processes that are gone, and after a day those of another machine or a container. */
const sweep = async (ours: string): Promise<void> => {
	for (const name of await readdir(ours)) {
		const made = await stat(join(ours, name)).catch(() => undefined);
		if (made === undefined) continue;
		const isOld = Date.now() - made.mtimeMs > dayMs;
		if (isOld || isAbandoned(name)) await rm(join(ours, name), {recursive: true, force: true});
	}
};

const dayMs = 24 * 60 * 60 * 1000;

const isAbandoned = (name: string): boolean => {
	const [, pid, host] = /^scratch-(\d+)-(.*)-[^-]*$/.exec(name) ?? [];
	if (pid === undefined || host !== hostname()) return false;
	try {
		process.kill(Number(pid), 0);
		return false;
	} catch (error) {
		return errorCode(error) === 'ESRCH';
	}
};

/**
 * Copies a file with its times. Git trusts a file's recorded size and second only if the index is younger, so
 * a copy must not seem younger.
 */
const copyWithTime = async (from: string, to: string): Promise<void> => {
	const {atime, mtime} = await stat(from);
	await copyFile(from, to);
	await utimes(to, atime, mtime);
};

/** A repository in which nothing was ever staged has no index. */
const ignoreMissing = (error: NodeJS.ErrnoException): void => {
	if (error.code !== 'ENOENT') throw error;
};
