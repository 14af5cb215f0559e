import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {listArtifacts} from '../runs/artifacts.ts';

type Context = Pick<ActionContext, 'colony' | 'files'>;

/** Bytes of a file that are shown: its beginning. */
const shownBytes = 512 * 1024;

/** What the runs of a trace left in its artifact folder of this checkout. */
export const readArtifacts = ({colony, files}: Context, traceId: string) =>
	listArtifacts(files, colony.root, traceId);

/** One of them with its text. A name that is not in the list is looked for nowhere, and a link leads nowhere. */
export const readArtifact = async (
	context: Context,
	traceId: string,
	ref: string,
): Promise<Outcome<{readonly ref: string; readonly text: string; readonly truncated: boolean}>> => {
	const {colony, files} = context;
	const found = (await readArtifacts(context, traceId)).find(artifact => artifact.ref === ref);
	const path = join(colony.root, ref);
	if (found === undefined || (await files.isLink(path))) return refuse('artifact_not_found');
	const bytes = await files.readBytes(path, 0, shownBytes);
	const truncated = ((await files.size(path)) ?? 0) > shownBytes;
	return accepted({...found, text: new TextDecoder().decode(bytes), truncated});
};
