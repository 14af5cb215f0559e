import {isDeepStrictEqual} from 'node:util';
import type {OutsideFact} from '../../domain/outside.ts';
import type {OutsideState} from './outside-state.ts';

/**
 * Returns what changed. Branches and tags that moved are `changed`; only git can tell whether they moved
 * forward. Ids are full.
 */
export const compareOutside = (before: OutsideState, after: OutsideState): readonly OutsideFact[] => [
	...(before.head === after.head || before.head === '' || after.head === '' ? [] : [switched(before, after)]),
	...differences(before.refs, after.refs).map(({name, ...difference}) => ({
		...(name.startsWith('refs/tags/')
			? {what: 'tag' as const, name: name.slice('refs/tags/'.length)}
			: {what: 'branch' as const, name: name.slice('refs/heads/'.length)}),
		...difference,
	})),
	...stashFacts(before.stash, after.stash),
	...contentFacts('setting', before.settings, after.settings),
	...contentFacts('hook', before.gitFiles, after.gitFiles),
	...contentFacts('configuration', before.configuration, after.configuration),
	...worktreeFacts(before.worktrees, after.worktrees),
];

const shortHead = (head: string): string => head.replace(/^refs\/heads\//, '');

const switched = ({head: before}: OutsideState, {head: after}: OutsideState): OutsideFact => ({
	what: 'head',
	name: 'HEAD',
	change: 'switched',
	before: shortHead(before),
	after: shortHead(after),
});

type Difference = Pick<OutsideFact, 'name' | 'change' | 'before' | 'after'>;

const differences = (
	before: Readonly<Record<string, string>>,
	after: Readonly<Record<string, string>>,
): readonly Difference[] =>
	[...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): Difference[] => {
		const [was, is] = [before[name], after[name]];
		if (was === is) return [];
		if (was === undefined) return [{name, change: 'added', after: is ?? ''}];
		if (is === undefined) return [{name, change: 'removed', before: was}];
		return [{name, change: 'changed', before: was, after: is}];
	});

/** Reports only that content changed, not what it is. */
const contentFacts = (
	kind: OutsideFact['what'],
	before: Readonly<Record<string, string>>,
	after: Readonly<Record<string, string>>,
): readonly OutsideFact[] =>
	differences(before, after).map(({name, change}) => ({
		what: kind,
		name: kind === 'configuration' ? `.hive/${name}` : name,
		change,
	}));

/** A stash entry has no stable name: it is identified by its commit, which may occur twice. */
const stashFacts = (before: readonly string[], after: readonly string[]): readonly OutsideFact[] => [
	...without(before, after).map(id => ({
		...({what: 'stash', name: 'stash', change: 'removed'} as const),
		before: id,
	})),
	...without(after, before).map(id => ({
		...({what: 'stash', name: 'stash', change: 'added'} as const),
		after: id,
	})),
];

const without = (all: readonly string[], others: readonly string[]): readonly string[] => {
	const left = [...others];
	return all.filter(id => {
		const at = left.indexOf(id);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
};

const worktreeFacts = (
	before: OutsideState['worktrees'],
	after: OutsideState['worktrees'],
): readonly OutsideFact[] =>
	[...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): OutsideFact[] => {
		const [was, is] = [before[name], after[name]];
		const what = 'worktree' as const;
		if (was === undefined) return [{what, name, change: 'added'}];
		if (is === undefined) return [{what, name, change: 'removed'}];
		if (was.head !== is.head)
			return [{what, name, change: 'switched', before: shortHead(was.head), after: shortHead(is.head)}];
		return isDeepStrictEqual(was, is) ? [] : [{what, name, change: 'changed'}];
	});
