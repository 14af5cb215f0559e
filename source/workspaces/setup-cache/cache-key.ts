import {createHash} from 'node:crypto';
import {compareText} from '../../domain/compare-text.ts';

/** Everything that decides what `workspaces.setup` makes below the cached paths. */
export type SetupFacts = {
	/** Fingerprint of the commands, and of the files that are copied into the worktree. */
	readonly setup: string;
	/** Git's id of the content of each key file, by path. */
	readonly keyFiles: ReadonlyMap<string, string>;
	readonly paths: readonly string[];
	/** The system, and where the programs of the commands are. */
	readonly machine: readonly string[];
};

/** The name of the entry for these facts: SHA-256 in hex. The order of files and paths does not count. */
export const cacheKey = ({setup, keyFiles, paths, machine}: SetupFacts): string => {
	const files = [...keyFiles].sort(([one], [other]) => compareText(one, other));
	const facts = [setup, files, paths.toSorted(compareText), machine];
	return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
};
