import {createHash} from 'node:crypto';
import {verifierRole} from '../../source/domain/evidence.ts';
import type {LandingPlanner, PlannedLanding} from '../../source/workspaces/merge/plan-landings.ts';
import {worktreePath} from '../../source/workspaces/worktree/worktree-state.ts';
import type {Calls} from './faulty-bus.ts';
import type {Fold} from './invariants.ts';
import type {FakeMachine} from './machine.ts';

/**
 * The base branch of each checkout without git: a set of parts. A part is a person's commit, or the work of a
 * trace. A tree is the name of such a set.
 */
export type Bases = {
	/** The merge of the trace's present work with the present base. */
	readonly merge: (machine: FakeMachine, traceId: string) => Merged;
	/** Moves the base to the merge. */
	readonly land: (machine: FakeMachine, traceId: string) => void;
	/** Merges the base into the trace's work, so that it no longer conflicts with what the base has now. */
	readonly update: (machine: FakeMachine, traceId: string) => void;
	/** A person commits to the base. */
	readonly commit: (machine: FakeMachine) => void;
	readonly plannerOf: (machine: FakeMachine, calls: Calls) => LandingPlanner;
};

type Parts = ReadonlySet<string>;

type Merged = {
	/** Empty on conflict. */
	readonly tree: string;
	readonly work: string;
	/** True if the base has all of the work. */
	readonly isEmpty: boolean;
	/** True if the base already has other work of the trace. */
	readonly parts: Parts;
};

/** The fingerprint of the only check. */
export const fingerprint = 'f'.repeat(64);

export const createBases = (root: string): Bases => {
	const bases = new Map<string, Parts>();
	/** By checkout and trace: the parts of the base that its work contains. */
	const known = new Map<string, Parts>();
	let commits = 0;

	const baseOf = ({checkout}: FakeMachine): Parts => bases.get(checkout) ?? new Set();
	const keyOf = ({checkout}: FakeMachine, traceId: string): string => `${checkout} ${traceId}`;

	const mergeInto = (onto: Parts, machine: FakeMachine, traceId: string): Merged => {
		const work = machine.work.capture(worktreePath({root, traceId}));
		const part = `${traceId}:${work}`;
		const contained = known.get(keyOf(machine, traceId)) ?? new Set();
		const others = [...onto].filter(one => !one.startsWith(`${traceId}:`));
		const conflicts = others.some(one => !contained.has(one) && clash(traceId, one));
		const isEmpty = !machine.branches.has(traceId) || onto.has(part);
		const parts = isEmpty ? onto : new Set([...others, part]);
		return {tree: conflicts && !isEmpty ? '' : nameOf(parts), work, isEmpty, parts};
	};

	const plannerOf = (machine: FakeMachine, calls: Calls): LandingPlanner => {
		let seen: Parts | undefined;
		return {
			plan: queue =>
				calls(async () => {
					seen = baseOf(machine);
					let [onto, isFirst] = [seen, true];
					const planned = new Map<string, PlannedLanding>();
					for (const {traceId, work: approved} of queue) {
						const {tree, work, parts} = mergeInto(onto, machine, traceId);
						if (work !== approved) {
							planned.set(traceId, {state: 'left', reason: 'Its work changed since it was approved.'});
							continue;
						}
						if (tree === '' && isFirst) {
							planned.set(traceId, {state: 'left', reason: 'It conflicts with the base.'});
							continue;
						}
						planned.set(
							traceId,
							tree === '' ? {state: 'behind', ref: base} : {state: 'ready', ref: base, tree, isFirst},
						);
						if (tree !== '') onto = parts;
						isFirst = false;
					}
					return planned;
				}),
			forget: () => {},
			hasMoved: () => calls(async () => seen !== undefined && seen !== baseOf(machine)),
		};
	};

	return {
		merge: (machine, traceId) => mergeInto(baseOf(machine), machine, traceId),
		land: (machine, traceId) => {
			bases.set(machine.checkout, mergeInto(baseOf(machine), machine, traceId).parts);
		},
		update: (machine, traceId) => void known.set(keyOf(machine, traceId), baseOf(machine)),
		commit: machine => void bases.set(machine.checkout, new Set([...baseOf(machine), `commit-${commits++}`])),
		plannerOf,
	};
};

const base = 'refs/heads/main';

const nameOf = (parts: Parts): string =>
	createHash('sha1')
		.update([...parts].sort().join('\n'))
		.digest('hex');

/** True for one pair in eight. */
const clash = (traceId: string, part: string): boolean =>
	Number.parseInt(createHash('sha1').update(`${traceId} ${part}`).digest('hex').slice(0, 1), 16) < 2;

/**
 * A tree reaches the base only if that very tree passed the checks, or if a person overrode them
 * (docs/architecture.md §5). A result may be used as soon as it is kept, before the log has the end of its
 * run. Returns one sentence for each breach.
 */
export const unchecked = (folds: readonly Fold[]): string[] => {
	const runs = new Map(folds.flatMap(({after}) => [...after.runs]));
	return folds.flatMap(({event: {payload, sequence, traceId}, before, after}) => {
		const isLanding =
			payload.kind === 'merge.started' && before.merge === undefined && after.merge !== undefined;
		if (!isLanding || payload.withoutChecks !== undefined || payload.leave === true) return [];
		const {tree, checkedBy} = payload;
		const isReported = before.landing?.checks.some(check => check.passed && check.tree === tree) ?? false;
		const run = runs.get(String(checkedBy));
		const isPassed = run?.bee === verifierRole && run.status === 'completed' && run.lands === tree;
		return isReported && isPassed ? [] : [`${sequence}: ${traceId} lands a tree that no check passed`];
	});
};

/** Landings that nothing lands and nothing sends back. */
export const leftInQueue = (folds: readonly Fold[]): string[] => {
	const last = new Map(folds.map(({after}) => [after.traceId, after]));
	return [...last.values()]
		.filter(({landing}) => landing !== undefined)
		.map(({traceId}) => `${traceId} is left in the landing queue`);
};
