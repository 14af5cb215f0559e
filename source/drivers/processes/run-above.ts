import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isName} from '../../domain/ids.ts';
import type {ProcessIdentity} from '../../ports/processes.ts';
import type {ProcessFacts} from './process-table.ts';
import {readSupervisors} from './run-directory.ts';

/** A run, by the names of its directory. */
export type RunAbove = {readonly traceId: string; readonly agentId: string};

type Parents = {
	readonly bootId: () => Promise<string>;
	/** Returns the ancestors, from the parent upwards. */
	readonly above: () => Promise<readonly ProcessFacts[]>;
};

/**
 * Returns the run that this process is part of, by its ancestors. An agent can clear its environment, but the
 * run's supervisor stays above it (docs/architecture.md §4). Run directories are read only if an ancestor may
 * be a supervisor.
 *
 * @param roots roots of the checkouts whose runs are read, in this order
 * @param claimed the run that the environment names, which is checked first
 */
export const runAbove = async (
	roots: Iterable<string>,
	claimed: RunAbove | undefined,
	parents?: Parents,
): Promise<RunAbove | undefined> => {
	const {above, bootId} = parents ?? (await systemParents());
	const candidates = (await above()).filter(({program}) => mayBeSupervisor(program));
	if (candidates.length === 0) return undefined;
	const boot = await bootId();
	const isAbove = ({pid, startTime, bootId}: ProcessIdentity) =>
		bootId === boot && candidates.some(one => one.pid === pid && one.startTime === startTime);
	const named = claimed !== undefined && isName(claimed.traceId) && isName(claimed.agentId) ? [claimed] : [];
	for (const root of roots) {
		const runs = join(root, '.hive', 'runs');
		for (const run of [...named, ...runsBelow(runs)])
			if ((await readSupervisors(join(runs, run.traceId, run.agentId))).some(isAbove)) return run;
	}
	return undefined;
};

/**
 * True if the program may be a supervisor. The supervisor renames itself, but some systems do not show that
 * name.
 */
const mayBeSupervisor = (program: string): boolean => /^(hive-|perl)/.test(program);

/** Yields the runs, the newest trace first: the run is open, so it is likely to be in a new trace. */
function* runsBelow(runs: string): Iterable<RunAbove> {
	for (const traceId of foldersIn(runs).sort().reverse())
		for (const agentId of foldersIn(join(runs, traceId))) yield {traceId, agentId};
}

const foldersIn = (folder: string): string[] => {
	try {
		return readdirSync(folder, {withFileTypes: true})
			.filter(entry => entry.isDirectory())
			.map(({name}) => name);
	} catch {
		return [];
	}
};

const systemParents = async (): Promise<Parents> => {
	if (process.platform === 'linux') {
		const {linuxTable} = await import('./linux-table.ts');
		return {bootId: linuxTable.bootId, above: () => parentsFrom(process.ppid, linuxTable.find)};
	}
	const {bootId, listAll} = await import('./ps-parents.ts');
	return {
		bootId,
		above: async () => {
			const all = await listAll();
			return parentsFrom(process.ppid, async pid => all.get(pid));
		},
	};
};

/**
 * Returns the ancestors. If one ends meanwhile, its children get a new parent; the ancestors read before that
 * are enough.
 */
const parentsFrom = async (
	first: number,
	find: (pid: number) => Promise<ProcessFacts | undefined>,
): Promise<ProcessFacts[]> => {
	const parents: ProcessFacts[] = [];
	for (let pid = first; pid > 1 && !parents.some(known => known.pid === pid); ) {
		const facts = await find(pid);
		if (facts === undefined) break;
		parents.push(facts);
		pid = facts.parent;
	}
	return parents;
};
