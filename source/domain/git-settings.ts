/** One setting as git sees it. `scope` is git's word: system, global, local, worktree or command. */
export type GitSetting = {readonly scope: string; readonly key: string; readonly value: string};

/** Reads `git config --list --show-scope -z`. */
export const parseGitSettings = (text: string): GitSetting[] => {
	const fields = text.split('\0');
	return Array.from({length: Math.floor(fields.length / 2)}, (_, at) => {
		const setting = fields[2 * at + 1] ?? '';
		const end = setting.indexOf('\n');
		return end < 0
			? {scope: fields[2 * at] ?? '', key: setting, value: 'true'}
			: {scope: fields[2 * at] ?? '', key: setting.slice(0, end), value: setting.slice(end + 1)};
	});
};

/** Any program that works in a repository can write these. */
export const isOfRepository = ({scope}: GitSetting): boolean => scope === 'local' || scope === 'worktree';

/** How an accepted setting is noted: with another value it is another setting. */
export const noteOfSetting = ({key, value}: GitSetting): string => `${key}=${value}`;

/** Names a program that git would run, or lets one in: whoever uses git by hand would run it too. */
export const canRunPrograms = ({key}: GitSetting): boolean =>
	/^(?:filter|alias|include|includeif|credential|gpg|hook|pager|protocol|difftool|mergetool|url)\./.test(
		key,
	) ||
	/^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|worktree|attributesfile|alternaterefscommand)|sequence\.editor|gc\.recentobjectshook|interactive\.difffilter|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|remote\..*\.(?:uploadpack|receivepack|vcs)|submodule\..*\.update)$/.test(
		key,
	);

/**
 * The settings by which the git commands that hive calls could come to run a program or to write elsewhere,
 * and the values that do not.
 */
const harmless: readonly (readonly [RegExp, string])[] = [
	[/^filter\..*\.(?:clean|smudge|process)$/, ''],
	[/^filter\..*\.required$/, 'false'],
	// What git does by itself; it has no value that means so.
	[/^merge\..*\.driver$/, 'git merge-file --quiet --marker-size=%L %A %O %B'],
	// An object that is missing in a partial clone is fetched.
	[/^remote\..*\.uploadpack$/, 'git-upload-pack'],
	[/^protocol\..*allow$/, 'never'],
	[/^core\.sshcommand$/, 'ssh'],
	[/^core\.gitproxy$/, 'none'],
	[/^core\.askpass$/, 'true'],
	[/^credential\..*helper$/, ''],
	// Newer than `core.hooksPath`, which has no say in it.
	[/^hook\..*\.command$/, 'true'],
	// Files would be written where it says. Git takes it from the repository alone; the driver names the
	// folder.
	[/^core\.worktree$/, ''],
];

/**
 * Keys and values to put over settings of the repository that nobody accepted, as if those were not there
 * (docs/reliability.md I17).
 */
export const overridesOf = (
	settings: readonly GitSetting[],
	accepted: ReadonlySet<string>,
): readonly (readonly [string, string])[] => {
	const isStrange = (setting: GitSetting) => isOfRepository(setting) && !accepted.has(noteOfSetting(setting));
	const keys = new Set(settings.filter(isStrange).map(({key}) => key));
	return [...keys].flatMap(key => {
		const [, value] = harmless.find(([pattern]) => pattern.test(key)) ?? [];
		if (value === undefined) return [];
		const known = settings.findLast(setting => setting.key === key && !isStrange(setting));
		return [[key, known?.value ?? value] as const];
	});
};
