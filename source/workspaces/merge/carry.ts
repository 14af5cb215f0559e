import {accepted, type Detail, type Outcome, type Refused, refuse} from '../../domain/errors.ts';
import type {Failpoint} from '../../ports/crash-points.ts';
import type {Git} from '../../ports/git.ts';
import {writeBesideCleanUp} from '../trees/beside-clean-up.ts';
import {isAncestor, resolve, scratchCommit} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import {listCheckouts} from '../worktree/checkouts.ts';
import type {TraceLocation} from '../worktree/worktree-state.ts';
import type {Carry} from './advance.ts';
import type {Base} from './base.ts';
import {hasMoved, listLeftOut, moveFiles, moveIndex} from './move-files.ts';

type Carrying = {readonly location: TraceLocation; readonly base: Base; readonly checkout: string};

/**
 * Moves the base, where it is checked out, to the merge, with the unsaved changes on top (docs/reliability.md
 * §4). Returns the unsaved paths that the merge changes too.
 */
export const carryOver = async (
	git: Git,
	carrying: Carrying,
	carry: Carry,
	failpoint: Failpoint,
): Promise<Outcome<readonly string[]>> => {
	const {root, traceId} = carrying.location;
	const refs = refsOf(traceId);
	if (carry.paths.length > 0) {
		await writeBesideCleanUp(git, root, async () => {
			await git.run(['update-ref', refs.keep('root'), carry.unsaved], {cwd: root});
			return {value: undefined, ids: [carry.unsaved]};
		});
		failpoint('merge.kept');
	}
	const journal = await writeBesideCleanUp(git, root, async () => {
		const commit = await writeJournal(git, root, carry);
		await git.run(['update-ref', refs.journal, commit], {cwd: root});
		return {value: commit, ids: [commit]};
	});
	failpoint('merge.journaled');
	return finish(git, carrying, {carry, journal, haveFilesMoved: false}, failpoint);
};

/** Completes a carry that a crash cut short. Drops one if the base has moved past it. */
export const resumeCarry = async (
	git: Git,
	location: TraceLocation,
	base: Base,
	failpoint: Failpoint,
): Promise<Outcome<readonly string[]>> => {
	const journal = await resolve(git, location.root, refsOf(location.traceId).journal);
	if (!journal) return accepted([]);
	const open = await readJournal(git, location.root, journal);
	const {carry} = open;
	const checkout = (await listCheckouts(git, location.root)).find(({branch}) => branch === base.ref);
	// The unsaved files are a commit on the base as it was.
	const from = await resolve(git, location.root, `${carry.unsaved}^1`);
	if (checkout && !checkout.missing && from === base.commit) {
		return finish(git, {location, base, checkout: checkout.path}, open, failpoint);
	}
	await forget(git, location);
	return accepted((await isAncestor(git, location.root, carry.merge, base.commit)) ? carry.paths : []);
};

type OpenCarry = {
	readonly carry: Carry;
	/** The commit that records the carry. */
	readonly journal: string;
	/** True if all files have moved. A file that differs from the merge now was edited after it. */
	readonly haveFilesMoved: boolean;
};

/** Every step detects what is already done. */
const finish = async (
	git: Git,
	{location, base, checkout}: Carrying,
	{carry, journal, haveFilesMoved}: OpenCarry,
	failpoint: Failpoint,
): Promise<Outcome<readonly string[]>> => {
	const files = {from: carry.unsaved, to: carry.files};
	const moved = haveFilesMoved
		? accepted(await listLeftOut(git, checkout, files))
		: await moveFiles(git, checkout, files, () => failpoint('merge.fileMoved'));
	if (!moved.ok) return giveUp(git, {location, checkout}, carry, moved);
	if (!haveFilesMoved) await noteFilesMoved(git, location, {carry, journal});
	failpoint('merge.filesMoved');
	const index = {from: `${carry.unsaved}^2`, to: carry.index, leftOut: moved.value};
	const indexRefused = await moveIndex(git, checkout, index);
	if (indexRefused) return halfWay([{path: checkout, message: indexRefused}], unstaged);
	failpoint('merge.indexMoved');
	const note = `hive: merge ${refsOf(location.traceId).branch}`;
	await git.run(['update-ref', '-m', note, base.ref, carry.merge, base.commit], {cwd: checkout});
	failpoint('merge.baseMoved');
	await forget(git, location);
	return accepted(carry.paths);
};

/** If no file was written, cancels the merge. If some were, the merge stays open, to be repeated. */
const giveUp = async (
	git: Git,
	{location, checkout}: {readonly location: TraceLocation; readonly checkout: string},
	carry: Carry,
	refused: Refused,
): Promise<Refused> => {
	const isBegun = await hasMoved(git, checkout, {from: carry.unsaved, to: carry.files});
	if (isBegun) return halfWay(refused.refusal.details, howToRestore(location));
	await forget(git, location);
	return refused;
};

const halfWay = (details: readonly Detail[], hint: string): Refused =>
	refuse('merge_refused', {
		message: 'The merge stopped half-way through the files; no unsaved file was lost.',
		hint: `${hint} Then approve again: the merge goes on from there.`,
		details,
	});

const howToRestore = ({traceId}: TraceLocation): string =>
	`Move the listed files aside; "git restore --source=${refsOf(traceId).journal}^2 -- <path>" brings a file back as it was before.`;

const unstaged = 'All files are in place; unstage what was staged since, with "git restore --staged <path>".';

const forget = ({attempt}: Git, {root, traceId}: TraceLocation) =>
	attempt(['update-ref', '-d', refsOf(traceId).journal], {cwd: root});

/**
 * Writes the journal: one commit, so that git keeps all of it. Its tree is the files afterwards. Its parents
 * are the merge, the unsaved files, and the index afterwards.
 */
const writeJournal = async (git: Git, root: string, carry: Carry): Promise<string> => {
	const parents = [carry.merge];
	const index = await scratchCommit(git, root, {
		tree: carry.index,
		parents,
		message: 'Index after the merge\n',
	});
	return scratchCommit(git, root, {
		tree: carry.files,
		parents: [carry.merge, carry.unsaved, index],
		message: `${carry.paths.join('\n')}\n`,
	});
};

/** Notes it as a commit on top of the journal. Unlike the journal, it has one parent. */
const noteFilesMoved = async (
	git: Git,
	{root, traceId}: TraceLocation,
	{carry, journal}: Pick<OpenCarry, 'carry' | 'journal'>,
): Promise<void> => {
	const message = 'The files have moved\n';
	await writeBesideCleanUp(git, root, async () => {
		const note = await scratchCommit(git, root, {tree: carry.files, parents: [journal], message});
		await git.run(['update-ref', refsOf(traceId).journal, note], {cwd: root});
		return {value: undefined, ids: [note]};
	});
};

const readJournal = async (git: Git, root: string, head: string): Promise<OpenCarry> => {
	const haveFilesMoved = (await resolve(git, root, `${head}^2`)) === undefined;
	const journal = haveFilesMoved ? ((await resolve(git, root, `${head}^1`)) ?? '') : head;
	const parts = ['^1', '^2', '^{tree}', '^3^{tree}'].map(part => journal + part);
	const [ids, paths] = await Promise.all([
		git.run(['rev-parse', ...parts], {cwd: root}),
		git.run(['show', '--no-patch', '--format=%B', journal], {cwd: root}),
	]);
	const [merge = '', unsaved = '', files = '', index = ''] = ids.split('\n');
	const carry = {merge, unsaved, files, index, paths: paths.split('\n').filter(Boolean)};
	return {carry, journal, haveFilesMoved};
};
