import type {DifferingMain} from '../../domain/differing-main.ts';
import type {Landed} from '../../domain/landing.ts';
import type {KnownMachine} from '../../domain/machine-status.ts';
import {type Trace, titleOrId} from '../../domain/trace.ts';
import type {Git} from '../../ports/git.ts';
import {resolve, treesOf} from '../trees/objects.ts';

type Clone = {readonly git: Git; readonly root: string};

/**
 * Returns the branches that other clones have at another commit than this clone. A machine whose hive does
 * not announce its branch is left out. One without a live reactor may have another commit by now, so it is
 * named only for merges that this clone lacks.
 *
 * @param machines the other machines
 */
export const readDifferingMains = async (
	clone: Clone,
	machines: readonly KnownMachine[],
	traces: readonly Trace[],
): Promise<readonly DifferingMain[]> => {
	const mains = await Promise.all(machines.map(machine => readDifference(clone, machine, traces)));
	return mains.flatMap(main => main ?? []);
};

const readDifference = async (
	clone: Clone,
	{checkout, host, root, base, isAlive}: KnownMachine,
	traces: readonly Trace[],
): Promise<DifferingMain | undefined> => {
	if (base === undefined) return undefined;
	const {branch, commit: there} = base;
	const here = await resolve(clone.git, clone.root, `refs/heads/${branch}`);
	if (here === undefined || here === there) return undefined;
	const only = await countApart(clone, there, here);
	// The log names no branch for a merge that did not wait in the queue.
	const mayBeOn = (one: Landed): boolean => one.base === branch || one.base === '';
	const merges = traces.flatMap(trace =>
		trace.place !== checkout
			? []
			: (trace.landed ?? []).filter(mayBeOn).map(({taskId, commit}) => ({
					...{traceId: trace.traceId, taskId, commit, title: titleOrId(trace)},
				})),
	);
	const lacking =
		only?.there === 0
			? new Set()
			: await lackingIn(
					clone,
					here,
					merges.map(({commit}) => commit),
				);
	const lacked = merges.filter(({commit}) => lacking.has(commit));
	if (!isAlive && lacked.length === 0) return undefined;
	return {...{checkout, host, root, branch, there, here}, ...(only && {only}), merges: lacked};
};

/** Counts the commits that only one side has; undefined if this clone lacks one of the two. */
const countApart = async (
	{git, root}: Clone,
	there: string,
	here: string,
): Promise<DifferingMain['only']> => {
	const args = ['rev-list', '--left-right', '--count', `${there}...${here}`, '--'];
	const {exitCode, stdout} = await git.attempt(args, {cwd: root});
	const [onlyThere = Number.NaN, onlyHere = Number.NaN] = stdout.trim().split('\t').map(Number);
	const isCounted = exitCode === 0 && Number.isSafeInteger(onlyThere) && Number.isSafeInteger(onlyHere);
	return isCounted ? {there: onlyThere, here: onlyHere} : undefined;
};

/** Of these commits, those that are not in the history of `here`. */
const lackingIn = async (
	{git, root}: Clone,
	here: string,
	commits: readonly string[],
): Promise<ReadonlySet<string>> => {
	const known = await treesOf(git, root, commits);
	const absent = commits.filter(commit => !known.has(commit));
	if (known.size === 0) return new Set(absent);
	const input = [...known.keys(), `^${here}`].map(line => `${line}\n`).join('');
	const {stdout} = await git.attempt(['rev-list', '--stdin'], {cwd: root, input});
	return new Set([...absent, ...stdout.split('\n').filter(commit => known.has(commit))]);
};
