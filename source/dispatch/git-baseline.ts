import {join} from 'node:path';
import {sortPlanted} from '../domain/planted-words.ts';
import {runPath} from '../runs/layout.ts';
import {holdTree} from '../workspaces/held-trees.ts';
import {resolve} from '../workspaces/objects.ts';
import {parseNotes, plantedSince, readPlantable, renderNotes} from '../workspaces/planted.ts';
import {captureTree} from '../workspaces/tree.ts';
import type {DispatchPorts} from './ports.ts';

/** What git could be made to run, before a run, as text that is kept. */
export const gitBaseline = async ({git, files, colony}: DispatchPorts): Promise<string> =>
	renderNotes(await readPlantable(git, files, colony().root));

type KeepTree = {
	readonly workspace: string;
	readonly keepsTrees: boolean;
	readonly traceId: string;
	readonly agentId: string;
};

/**
 * Whether plain git may read the workspace's files. Where an earlier agent planted what it would run, hive keeps the tree before the
 * run itself (docs/reliability.md I17).
 */
export const keepTreeUnlessClean = async (
	{git, files, colony}: DispatchPorts,
	directory: string,
	{workspace, keepsTrees, traceId, agentId}: KeepTree,
): Promise<boolean> => {
	if ((await git.leftOut(workspace)).length === 0) return true;
	if (keepsTrees && (await files.read(join(directory, 'started'))) === undefined) {
		await files.write(join(directory, 'before-head'), `${(await resolve(git, workspace, 'HEAD')) ?? ''}\n`);
		const tree = await captureTree(git, workspace);
		await holdTree(git, {root: colony().root, traceId, agentId}, tree);
		await files.write(join(directory, 'before'), `${tree}\n`);
	}
	return false;
};

/** What a run, or another process beside it, added to what git runs or reads. */
export const warnOfPlanted = async (
	{git, files, colony}: DispatchPorts,
	directory: string,
): Promise<readonly string[]> => {
	const baseline = await files.read(runPath(directory, 'gitBaseline'));
	if (baseline === undefined) return [];
	const planted = plantedSince(parseNotes(baseline), await readPlantable(git, files, colony().root));
	const {programs, altered} = sortPlanted(planted);
	return [
		...(programs.length === 0
			? []
			: [
					`git runs other programs in this repository than before the run: ${programs.join(', ')}. hive leaves them out; look at them before you use git here`,
				]),
		...altered.map(words => `since the run, ${words}`),
	];
};
