import {join} from 'node:path';
import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {redactionMargin} from '../../domain/redact.ts';
import {listArtifacts} from '../../runs/artifacts.ts';

type Context = Pick<ActionContext, 'colony' | 'files' | 'redact'>;

/** Maximum bytes of a file that are shown, from its beginning. */
const maxShownBytes = 512 * 1024;

/** Lists what the runs of a trace left in its artifact folder of this checkout. */
export const readArtifacts = ({colony, files, redact = unchanged}: Context, traceId: string) =>
	listArtifacts({files, root: colony.root, traceId, redact});

const unchanged = (text: string): string => text;

/**
 * Returns one artifact with its text. A name that is not in the list is never looked up, and links are not
 * followed.
 */
export const readArtifact = async (
	context: Context,
	traceId: string,
	ref: string,
): Promise<Outcome<{readonly ref: string; readonly text: string; readonly truncated: boolean}>> => {
	const {colony, files, redact = unchanged} = context;
	const found = (await readArtifacts(context, traceId)).find(artifact => artifact.ref === ref);
	const path = join(colony.root, ref);
	if (found === undefined || (await files.isLink(path))) return refuse('artifact_not_found');
	const bytes = await files.readBytes(path, 0, maxShownBytes + redactionMargin);
	const text = redact(new TextDecoder().decode(bytes));
	const truncated = ((await files.size(path)) ?? 0) > bytes.length;
	return accepted({...found, text: truncated ? text.slice(0, -redactionMargin) : text, truncated});
};
