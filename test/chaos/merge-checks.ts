import {type Kept, mergeKept, type RootState, readCommit} from './root-state.ts';
import type {ScratchColony} from './scratch-colony.ts';

/**
 * Returns the user's losses after an approve: each unexpected path, and how many of the user's bytes are
 * gone.
 */
export const findLosses = async (
	colony: ScratchColony,
	before: RootState,
	after: RootState,
): Promise<{what: string; bytes: number}[]> => {
	const losses: {what: string; bytes: number}[] = [];
	if (after.head !== before.head) losses.push({what: `HEAD is ${after.head}`, bytes: 0});
	if (after.others !== before.others) losses.push({what: `branches or stashes: ${after.others}`, bytes: 0});
	const [was, is] = [await readCommit(colony, before.main), await readCommit(colony, after.main)];
	for (const side of ['worktree', 'index'] as const) {
		const paths = new Set([...was.keys(), ...is.keys(), ...before[side].keys(), ...after[side].keys()]);
		for (const path of paths) {
			const mine = before[side].get(path);
			const expected = await expect(colony, {was: was.get(path), is: is.get(path), mine});
			if (isSame(after[side].get(path), expected)) continue;
			losses.push({what: `${path} in the ${side}`, bytes: mine?.bytes.length ?? 0});
		}
	}
	return losses;
};

type Sides = {
	/** The file in the base before and after the merge. */
	readonly was: Kept | undefined;
	readonly is: Kept | undefined;
	readonly mine: Kept | undefined;
};

/**
 * A file has the change of the merge, of the user, or both. If they conflict, the merge must not have
 * happened.
 */
const expect = async (colony: ScratchColony, {was, is, mine}: Sides): Promise<Kept | undefined> => {
	if (isSame(was, is)) return mine;
	if (isSame(was, mine) || isSame(is, mine)) return is;
	return was && is && mine ? mergeKept(colony, mine, was, is) : mine;
};

const isSame = (one: Kept | undefined, other: Kept | undefined): boolean =>
	one?.bytes === other?.bytes && one?.mode === other?.mode;
