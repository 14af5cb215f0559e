/** Git's own files that change how a repository is read. All other planted entries make git run programs. */
const alterationMessages: Readonly<Record<string, string>> = {
	'refs/replace':
		'objects are replaced (refs/replace): hive shows and merges the real ones. "git replace --list" names them',
	'info/grafts':
		'commits have other parents (info/grafts): hive goes by the real ones. Remove the file if it is not yours',
	shallow:
		'history is cut off (the file "shallow" in git\'s folder): "git fetch --unshallow" fetches it, or remove the file if it is not yours',
};

/**
 * Sorts the changes in a git folder since `hive init`. Returns names that run programs, and one clause for
 * each file that alters how git reads.
 */
export const classifyInjected = (
	injected: readonly string[],
): {readonly programs: readonly string[]; readonly altered: readonly string[]} => ({
	programs: injected.filter(name => alterationMessages[name] === undefined),
	altered: injected.flatMap(name => alterationMessages[name] ?? []),
});

/**
 * Warnings before work is merged: the person's own git would run programs that hive leaves out
 * (docs/reliability.md I17).
 */
export const formatInjectedWarnings = (injected: readonly string[]): readonly string[] => {
	const {programs, altered} = classifyInjected(injected);
	return [
		...(programs.length === 0
			? []
			: [
					`git would run programs here that "hive init" has not accepted: ${programs.join(', ')}. hive leaves them out. Review them; "hive init" accepts them.`,
				]),
		...altered.map(message => `In git's own folder, not accepted by "hive init": ${message}.`),
	];
};
