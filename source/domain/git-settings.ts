/** One setting of git. `scope` is git's own term: system, global, local, worktree or command. */
export type GitSetting = {readonly scope: string; readonly key: string; readonly value: string};

/** Parses the output of `git config --list --show-scope -z`. */
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

/** True if any program that works in the repository can write the setting. */
export const isRepositorySetting = ({scope}: GitSetting): boolean =>
	scope === 'local' || scope === 'worktree';

/** How an accepted setting is recorded. It includes the value, so another value has to be accepted again. */
export const formatSetting = ({key, value}: GitSetting): string => `${key}=${value}`;

/**
 * True if the setting names or enables a program that git would run. A person who uses git by hand would run
 * it too.
 */
export const canRunPrograms = ({key}: GitSetting): boolean =>
	/^(?:filter|alias|include|includeif|credential|gpg|hook|pager|protocol|difftool|mergetool|url)\./.test(
		key,
	) ||
	/^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|worktree|attributesfile|alternaterefscommand)|sequence\.editor|gc\.recentobjectshook|interactive\.difffilter|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|remote\..*\.(?:uploadpack|receivepack|vcs)|submodule\..*\.update)$/.test(
		key,
	);

/**
 * True if the setting names a remote's address, or changes how git reaches it. A person has to have seen it
 * before hive pushes there (`land.push`).
 */
const concernsTransfers = ({key}: GitSetting): boolean =>
	/^(?:credential|http|include|includeif|protocol|url)\./.test(key) ||
	/^core\.(?:alternaterefscommand|askpass|gitproxy|sshcommand)$/.test(key) ||
	/^remote\..+\.(?:fetch|mirror|proxy|pushurl|receivepack|serveroption|uploadpack|url|vcs)$/.test(key);

/** A setting about transfers as it is shown and recorded: without the password that an address may have. */
export const formatTransfer = ({key, value}: GitSetting): string =>
	`${key}=${value.replace(/(\/\/)[^/@\s]*@/, '$1***@')}`;

/**
 * Settings of the repository that name remotes or change how git reaches them. A branch's own entry is left
 * out if its upstream has the same name.
 */
export const transferSettings = (settings: readonly GitSetting[]): readonly GitSetting[] =>
	settings.filter(isRepositorySetting).filter(setting => concernsTransfers(setting) || isOtherName(setting));

const isOtherName = ({key, value}: GitSetting): boolean =>
	key.startsWith('branch.') && key.endsWith('.merge') && value !== `refs/heads/${key.slice(7, -6)}`;

/** Settings that could make hive's git commands run a program or write elsewhere, with values that do not. */
const harmlessValues: readonly (readonly [RegExp, string])[] = [
	[/^filter\..*\.(?:clean|smudge|process)$/, ''],
	[/^filter\..*\.required$/, 'false'],
	// Git's default behaviour, which has no value of its own.
	[/^merge\..*\.driver$/, 'git merge-file --quiet --marker-size=%L %A %O %B'],
	// Used to fetch an object that is missing in a partial clone.
	[/^remote\..*\.uploadpack$/, 'git-upload-pack'],
	[/^remote\..*\.receivepack$/, 'git-receive-pack'],
	[/^protocol\..*allow$/, 'never'],
	[/^core\.sshcommand$/, 'ssh'],
	[/^core\.gitproxy$/, 'none'],
	[/^core\.askpass$/, 'true'],
	[/^credential\..*helper$/, ''],
	// Newer than `core.hooksPath`, which does not affect it.
	[/^hook\..*\.command$/, 'true'],
	// Files would be written to the folder that it names. Git reads it only from the repository; the driver
	// sets the folder.
	[/^core\.worktree$/, ''],
];

/**
 * Keys and values that override the unaccepted settings of a repository, as if those did not exist
 * (docs/reliability.md I17).
 */
export const overridesOf = (
	settings: readonly GitSetting[],
	accepted: ReadonlySet<string>,
): readonly (readonly [string, string])[] => {
	const isUnaccepted = (setting: GitSetting) =>
		isRepositorySetting(setting) && !accepted.has(formatSetting(setting));
	const keys = new Set(settings.filter(isUnaccepted).map(({key}) => key));
	return [...keys].flatMap(key => {
		const [, value] = harmlessValues.find(([pattern]) => pattern.test(key)) ?? [];
		if (value === undefined) return [];
		const known = settings.findLast(setting => setting.key === key && !isUnaccepted(setting));
		return [[key, known?.value ?? value] as const];
	});
};
