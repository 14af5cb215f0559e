import type {GitSetting} from '../domain/git-settings.ts';

type GitResult = {readonly exitCode: number; readonly stdout: string; readonly stderr: string};

/** The exit code of a git that was stopped at its timeout. */
export const timedOut = -1;

export type GitOptions = {
	readonly cwd: string;
	/** Another checkout that git enters by itself; settings that are set only there are left out too. */
	readonly enters?: string;
	/** Variables to add to the environment, for example `GIT_INDEX_FILE`. */
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string | Uint8Array;
	/** Decode standard output as one character for each byte, since paths need not be UTF-8. */
	readonly asBytes?: boolean;
	/** Stop reading after this many bytes of standard output; `truncated` is then true. */
	readonly maxBytes?: number;
	/** Milliseconds after which git is stopped, with `timedOut` as its exit code. No limit by default. */
	readonly timeoutMs?: number;
};

/** The environment that makes git use another index. */
export type IndexCopy = {readonly GIT_INDEX_FILE: string};

/** Absolute paths of git's own folders. */
export type GitFolders = {
	/** The checkout's folder, with its HEAD and index. */
	readonly own: string;
	/** The repository's folder, with its refs and settings. */
	readonly common: string;
	/** Path of the asking folder inside the checkout, with a slash at the end; empty at the top. */
	readonly prefix: string;
};

/**
 * Settings of a worktree. They are valid as long as the hash of the files that git reads them from is
 * `evidence`.
 */
export type KnownSettings = {readonly evidence: string; readonly settings: readonly GitSetting[]};

/**
 * Runs git with an argv, never through a shell, with repository hooks, fsmonitor and external diffs off
 * (docs/reliability.md I17).
 */
export type Git = {
	/**
	 * Runs git once. Any exit code is a result. If another git process is in the way for a moment, for example
	 * with a lock, it retries for at most two seconds. Throws only if git cannot be started.
	 */
	readonly attempt: (
		args: readonly string[],
		options: GitOptions,
	) => Promise<GitResult & {truncated: boolean}>;
	/**
	 * Returns standard output without its last newline. Throws `HiveError('internal')` with git's message on a
	 * non-zero exit.
	 */
	readonly run: (args: readonly string[], options: GitOptions) => Promise<string>;
	/** Throws `HiveError('not_a_repository')` outside a repository. */
	readonly folders: (cwd: string) => Promise<GitFolders>;
	/** Returns git's settings in the folder, each with its scope; none outside a repository. */
	readonly settings: (cwd: string) => Promise<readonly GitSetting[]>;
	/**
	 * Returns the settings to hand to another process of this machine, so that it need not ask git. `undefined`
	 * if git itself has to be asked.
	 */
	readonly knownSettings: (cwd: string) => Promise<KnownSettings | undefined>;
	/**
	 * Returns the unaccepted keys of the repository's settings that could run programs, and `info/attributes`
	 * if unaccepted. No call here obeys them.
	 */
	readonly leftOut: (cwd: string) => Promise<readonly string[]>;
	/**
	 * Calls `work` with an empty folder inside the checkout's git folder, which is usually on the same disk as
	 * its files. The folder is removed afterwards. A folder that a crash left behind is removed when the next
	 * one is created.
	 */
	readonly withScratch: <Value>(cwd: string, work: (folder: string) => Promise<Value>) => Promise<Value>;
	/**
	 * Calls `work` with a private copy of the checkout's index. The copy is removed afterwards. The checkout's
	 * own index is only read.
	 */
	readonly withIndexCopy: <Value>(cwd: string, work: (env: IndexCopy) => Promise<Value>) => Promise<Value>;
};
