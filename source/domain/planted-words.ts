/**
 * Git's own files by which a repository reads otherwise than its objects say; the others make git run
 * programs.
 */
const alterations: Readonly<Record<string, string>> = {
	'refs/replace':
		'objects are replaced (refs/replace): hive shows and merges the real ones. "git replace --list" names them',
	'info/grafts':
		'commits have other parents (info/grafts): hive goes by the real ones. Remove the file if it is not yours',
	shallow:
		'history is cut off (the file "shallow" in git\'s folder): "git fetch --unshallow" fetches it, or remove the file if it is not yours',
};

/**
 * What was planted in a git folder since `hive init`: what runs programs, and one clause for each thing that
 * alters what git reads.
 */
export const sortPlanted = (
	planted: readonly string[],
): {readonly programs: readonly string[]; readonly altered: readonly string[]} => ({
	programs: planted.filter(name => alterations[name] === undefined),
	altered: planted.flatMap(name => alterations[name] ?? []),
});

/**
 * Said before work is merged: a person's own git would run what hive leaves out (docs/reliability.md I17).
 */
export const plantedSentences = (planted: readonly string[]): readonly string[] => {
	const {programs, altered} = sortPlanted(planted);
	return [
		...(programs.length === 0
			? []
			: [
					`git would run programs here that "hive init" has not accepted: ${programs.join(', ')}. hive leaves them out. Look at them; "hive init" accepts them.`,
				]),
		...altered.map(words => `In git's own folder, not accepted by "hive init": ${words}.`),
	];
};
