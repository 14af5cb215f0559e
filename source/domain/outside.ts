import {escapeHidden} from './escape-hidden.ts';
import {formatCount} from './format-count.ts';
import {classifyInjected} from './injected-warnings.ts';

export const outsideKinds = [
	...(['head', 'branch', 'tag', 'stash', 'index', 'file', 'setting', 'hook', 'configuration'] as const),
	'worktree',
] as const;

/** `forward`: the new commits contain all earlier ones. `rewound`: they do not. */
export const outsideChanges = ['added', 'changed', 'removed', 'forward', 'rewound', 'switched'] as const;

/** A difference outside a run's workspace between the run's begin and end. It does not say who made it. */
export type OutsideFact = {
	readonly what: (typeof outsideKinds)[number];
	/** Short name of a branch or tag, path of a file in the checkout, key of a setting. */
	readonly name: string;
	readonly change: (typeof outsideChanges)[number];
	/** A commit's id, or a branch for HEAD; absent if there was none, or if the content is not reported. */
	readonly before?: string;
	readonly after?: string;
	/** The ref that keeps what was removed. */
	readonly kept?: string;
	/** New commits, newest first: short id and subject. */
	readonly commits?: readonly string[];
};

/** The differences as the log carries them. */
export type Outside = {
	readonly outside: readonly OutsideFact[];
	/** Number of further differences, which are left out. */
	readonly outsideMore?: number;
};

export const maxOutsideFacts = 20;
export const maxOutsideNameLength = 200;
export const maxOutsideCommits = 5;
export const maxOutsideCommitLength = 120;

const addsOnly: ReadonlySet<OutsideFact['change']> = new Set(['added', 'forward']);

/** True if the difference removes something, or changes which programs run (docs/rules.md §4). */
export const isSevere = ({what, change, name}: OutsideFact): boolean => {
	if (what === 'setting') return !isTracking(name);
	if (what === 'head' || what === 'hook' || what === 'configuration') return true;
	if (what === 'index') return false;
	if (what === 'file') return change === 'rewound';
	if (what === 'worktree') return change === 'removed' || change === 'switched';
	return !addsOnly.has(change);
};

/** True for a setting that git itself writes when a branch is created from another, or removed. */
const isTracking = (key: string): boolean => /^branch\..*\.(?:remote|merge|rebase)$/.test(key);

/** The differences, red ones first, limited to as many as the log carries. */
export const outsideOf = (facts: readonly OutsideFact[]): Outside | undefined => {
	if (facts.length === 0) return undefined;
	const sorted = [...facts.filter(isSevere), ...facts.filter(fact => !isSevere(fact))];
	const more = sorted.length - maxOutsideFacts;
	return {outside: sorted.slice(0, maxOutsideFacts), ...(more > 0 && {outsideMore: more})};
};

/** Describes a difference in one clause: `the branch main was rewound from 1a2b3c4 to 5d6e7f8`. */
export const formatOutsideFact = (fact: OutsideFact): string => {
	const {change, before = '', after = '', kept, commits = []} = fact;
	const name = escapeHidden(fact.name);
	const keptSuffix = kept === undefined ? '' : `; ${kept} keeps what was there`;
	if (fact.what === 'head')
		return `the checkout was switched from ${escapeHidden(shortenHash(before))} to ${escapeHidden(shortenHash(after))}`;
	if (fact.what === 'stash')
		return change === 'added'
			? `a stash entry was added: ${shortenHash(after)}`
			: `the stash entry ${shortenHash(before)} is gone${kept === undefined ? '' : `; "git stash apply ${kept}" brings it back`}`;
	if (fact.what === 'branch' || fact.what === 'tag') {
		const what = `the ${fact.what} ${name}`;
		if (change === 'added') return `${what} was made at ${shortenHash(after)}`;
		if (change === 'removed') return `${what}, which was at ${shortenHash(before)}, is gone${keptSuffix}`;
		if (change === 'forward')
			return `${what} moved forward from ${shortenHash(before)} to ${shortenHash(after)}${commits.length === 0 ? '' : `: ${commits.map(escapeHidden).join(', ')}`}`;
		const how = change === 'rewound' ? 'was rewound' : 'changed';
		return `${what} ${how} from ${shortenHash(before)} to ${shortenHash(after)}${keptSuffix}`;
	}
	if (fact.what === 'index') return 'other changes are staged in the checkout';
	if (fact.what === 'file' && change === 'rewound') return `${name} lost its unsaved changes`;
	const noun = {file: '', setting: 'the setting ', hook: 'the hook ', configuration: '', worktree: ''};
	const subject = fact.what === 'worktree' ? `the other worktree ${name}` : `${noun[fact.what]}${name}`;
	if (change === 'added') return `${subject} is new`;
	if (change === 'removed') return `${subject} is gone`;
	if (change === 'switched')
		return `${subject} was switched from ${escapeHidden(shortenHash(before))} to ${escapeHidden(shortenHash(after))}`;
	return `${subject} was changed`;
};

const shortenHash = (text: string): string => (/^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 7) : text);

/** Maximum number of names in one sentence; the rest is counted. */
const maxNames = 10;

/**
 * Warnings for people: a sentence for each removal, one for configuration, and one for programs that git
 * would run.
 */
export const outsideWarnings = (facts: readonly OutsideFact[]): readonly string[] => {
	const severe = facts.filter(isSevere);
	const namesOf = (what: readonly OutsideFact['what'][]) =>
		severe.filter(fact => what.includes(fact.what)).map(({name}) => name);
	const {programs, altered} = classifyInjected(namesOf(['setting', 'hook']));
	const configuration = namesOf(['configuration']);
	const others = severe.filter(({what}) => what !== 'setting' && what !== 'hook' && what !== 'configuration');
	return [
		...others.map(fact => `while the run was open, ${formatOutsideFact(fact)}`),
		...(configuration.length === 0
			? []
			: [`while the run was open, the configuration changed: ${formatNames(configuration)}`]),
		...(programs.length === 0
			? []
			: [
					`git has other settings or hooks in this repository than before the run: ${formatNames(programs)}. hive does not use settings that run programs; look at them before you use git here`,
				]),
		...altered.map(words => `since the run, ${words}`),
	];
};

const formatNames = (names: readonly string[]): string => {
	const more = names.length - maxNames;
	const shown = names.slice(0, maxNames).map(escapeHidden).join(', ');
	return more > 0 ? `${shown} and ${formatCount(more, 'other')}` : shown;
};
