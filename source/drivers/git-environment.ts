/**
 * Settings of every git that hive runs, as `key=value`. No code that a repository can plant runs, and no
 * submodule is entered (docs/reliability.md I17).
 */
export const guards: readonly string[] = [
	'core.hooksPath=/dev/null',
	'core.fsmonitor=false',
	'core.quotePath=false',
	// A copy of an index is then complete, and leaves nothing beside the original.
	'core.splitIndex=false',
	// With `true`, git would refuse a file whose line endings it would change.
	'core.safecrlf=false',
	'submodule.recurse=false',
	// An object is on the disk before the ref that names it. So a loss of power destroys no run's work
	// (docs/reliability.md I9).
	'core.fsync=committed,reference',
	'core.fsyncMethod=batch',
	// A clean-up would run programs of its own, at any time.
	'gc.auto=0',
	'maintenance.auto=false',
	// Milliseconds. Another git holds the lock of a ref for a moment (docs/reliability.md §4 step 5).
	'core.filesRefLockTimeout=2000',
	'core.packedRefsTimeout=2000',
];

/**
 * Git variables about the author, the configuration and the way to a remote, not about the repository. All
 * others are removed.
 */
const welcome: readonly RegExp[] = [
	/^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)$/,
	/^GIT_(?:EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/,
	/^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|ASKPASS|SSL_(?:CAINFO|CAPATH|CERT|KEY|NO_VERIFY))$/,
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment for git, without variables that would name another repository. */
export const inheritedByGit = (environment: Environment): Environment =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) => !name.startsWith('GIT_') || welcome.some(known => known.test(name)),
		),
	);

/**
 * Git never prompts, takes no optional lock, and prints English. Objects and parents of commits are the
 * original ones, whatever replacements are in `refs/replace` and `info/grafts`.
 */
export const quiet = {
	...{LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0'},
	...{GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null'},
};

/**
 * In a partial clone, missing objects are not fetched, since a program that the repository names would fetch
 * them.
 */
export const unfetched = {GIT_NO_LAZY_FETCH: '1'};
