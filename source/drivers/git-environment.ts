/**
 * Settings of every git of hive, as `key=value`: no code that a repository can plant runs, and no submodule
 * is entered (docs/reliability.md I17).
 */
export const guards: readonly string[] = [
	'core.hooksPath=/dev/null',
	'core.fsmonitor=false',
	'core.quotePath=false',
	// A copy of an index is whole, and leaves nothing beside the one that it was made of.
	'core.splitIndex=false',
	// With `true` a file whose line ends git would change could not be kept at all.
	'core.safecrlf=false',
	'submodule.recurse=false',
	// What a ref names is on the disk before the ref is: a loss of power takes no run's work
	// (docs/reliability.md I9).
	'core.fsync=committed,reference',
	'core.fsyncMethod=batch',
	// A clean-up runs programs of its own, at any time.
	'gc.auto=0',
	'maintenance.auto=false',
	// Milliseconds. Another git holds the lock of a ref for a moment (docs/reliability.md §4 step 5).
	'core.filesRefLockTimeout=2000',
	'core.packedRefsTimeout=2000',
];

/** Variables of git that say who and how, not which repository; all others are left out. */
const welcome =
	/^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What git inherits: nothing that would point it at another repository. */
export const inheritedByGit = (environment: Environment): Environment =>
	Object.fromEntries(
		Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || welcome.test(name)),
	);

/**
 * Git never prompts, takes no lock that it can do without, and prints English. An object is what its id says,
 * and a commit has the parents that it names, whatever `refs/replace` and `info/grafts` put in their place.
 */
export const quiet = {
	...{LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0'},
	...{GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null'},
};

/** In a partial clone, what is missing is not fetched by a program that the repository names. */
export const unfetched = {GIT_NO_LAZY_FETCH: '1'};
