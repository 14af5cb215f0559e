import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {refuseUnfinished} from './merge-refusals.ts';
import {type FileMove, moveFiles, moveIndex} from './move-files.ts';
import {findUnderWay} from './under-way.ts';

/**
 * Moves a checkout without uncommitted work from its HEAD to a later commit: files, index and branch. Refuses
 * with the reason, and writes nothing, if the files have no room or a git operation is unfinished. An unsaved
 * or ignored file in the way is refused too. May be repeated after a crash.
 */
export const fastForward = async (
	git: Git,
	checkout: string,
	{from, to}: FileMove,
	fileMoved?: () => void,
): Promise<Outcome<void>> => {
	const unfinished = await findUnderWay(git, checkout);
	if (unfinished.length > 0) return refuseUnfinished(checkout, unfinished);
	const moved = await moveFiles(git, checkout, {from, to}, fileMoved);
	if (!moved.ok) return moved;
	const reason = await moveIndex(git, checkout, {from, to, leftOut: moved.value});
	if (reason !== undefined) return refuse('merge_refused', {details: [{path: checkout, message: reason}]});
	await git.run(['update-ref', '-m', 'hive: merge the base in', 'HEAD', to, from], {cwd: checkout});
	return accepted(undefined);
};
