import type {ActionContext} from '../../actions/context.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {readLandedWork} from '../../workspaces/merge/landed-work.ts';

/** By the last commit of each landing whose commits were replayed: the commit that it landed on. */
export type ParentsOfRebases = ReadonlyMap<string, string>;

/**
 * With these as parents, all lines of such a landing belong to its last commit, which the log has. Only that
 * one has the files that were approved.
 */
export const parentsOfRebases = async ({
	bus,
	git,
	colony: {root},
}: Pick<ActionContext, 'bus' | 'git' | 'colony'>): Promise<ParentsOfRebases> => {
	const traces = [...(await openLedger(bus)).traces().values()];
	const landed = traces.flatMap(({landed = []}) => landed.filter(({replayed}) => replayed));
	const parents = new Map<string, string>();
	for (const {commit} of landed) {
		const work = await readLandedWork(git, root, commit);
		if (work !== undefined) parents.set(commit, work.base);
	}
	return parents;
};
