import {sortPlanted} from '../domain/planted-words.ts';
import {runPath} from '../runs/layout.ts';
import {parseNotes, plantedSince, readPlantable, renderNotes} from '../workspaces/planted.ts';
import type {DispatchPorts} from './ports.ts';

/** What git could be made to run, before a run, as text that is kept. */
export const gitBaseline = async ({git, files, colony}: DispatchPorts): Promise<string> =>
	renderNotes(await readPlantable(git, files, colony().root));

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
