import type {GitSetting} from '../domain/git-settings.ts';

type GitResult = {readonly exitCode: number; readonly stdout: string; readonly stderr: string};

export type GitOptions = {
	readonly cwd: string;
	/** Another checkout, which git goes to by itself: what is set there alone is left out too. */
	readonly enters?: string;
	/** Added to the environment, `GIT_INDEX_FILE` for example. */
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string | Uint8Array;
	/** Standard output with one character for each byte, since paths need not be UTF-8. */
	readonly asBytes?: boolean;
	/** Stop reading after this many bytes of standard output; `truncated` then says so. */
	readonly maxBytes?: number;
};

/** The environment that makes git work on another index. */
export type IndexCopy = {readonly GIT_INDEX_FILE: string};

/** Absolute folders of git's own. */
export type GitFolders = {
	/** The checkout's, which has its HEAD and index. */
	readonly own: string;
	/** The repository's, which has its refs and settings. */
	readonly common: string;
	/** Where the asking folder is in the checkout, with a slash at the end; empty at the top. */
	readonly prefix: string;
};

/** Settings of a worktree, as long as the files that git reads them from are those of `evidence`, a hash. */
export type KnownSettings = {readonly evidence: string; readonly settings: readonly GitSetting[]};

/**
 * Runs git with an argv, never through a shell, with repository hooks, fsmonitor and external diffs off
 * (docs/reliability.md I17).
 */
export type Git = {
	/**
	 * Any exit code is a result. Another git that is in the way for a moment is waited for, two seconds at
	 * most. Throws only when git cannot be started.
	 */
	readonly attempt: (
		args: readonly string[],
		options: GitOptions,
	) => Promise<GitResult & {truncated: boolean}>;
	/**
	 * Standard output without its last newline; throws `HiveError('internal')` with git's words on a non-zero
	 * exit.
	 */
	readonly run: (args: readonly string[], options: GitOptions) => Promise<string>;
	/** Throws `HiveError('not_a_repository')` outside of one. */
	readonly folders: (cwd: string) => Promise<GitFolders>;
	/** As git has them in the folder, each with its scope; none outside of a repository. */
	readonly settings: (cwd: string) => Promise<readonly GitSetting[]>;
	/**
	 * For another process of this machine, which need not ask git then; nothing where git itself has to be
	 * asked.
	 */
	readonly knownSettings: (cwd: string) => Promise<KnownSettings | undefined>;
	/**
	 * Keys of the repository's settings that could run programs, and `info/attributes`, that are not accepted;
	 * no call here obeys them.
	 */
	readonly leftOut: (cwd: string) => Promise<readonly string[]>;
	/**
	 * Works in an empty folder in the checkout's own git folder, mostly on the disk of its files. It is removed
	 * afterwards; one that a crash left behind when the next is made.
	 */
	readonly withScratch: <Value>(cwd: string, work: (folder: string) => Promise<Value>) => Promise<Value>;
	/**
	 * Works on a private copy of the checkout's index, which is removed afterwards; the checkout's own is only
	 * read.
	 */
	readonly withIndexCopy: <Value>(cwd: string, work: (env: IndexCopy) => Promise<Value>) => Promise<Value>;
};
