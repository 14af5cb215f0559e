import type {ActionContext} from '../actions/context.ts';
import {accepted, expectAccepted, type Outcome, type Refused} from '../domain/errors.ts';
import {linesOf} from '../runs/read-log.ts';
import type {LogPiece} from './answer-place.ts';
import {askElsewhere} from './place-questions.ts';
import {type Reading, type RunLog, readableLines} from './run-log.ts';

/** The log of a run of another place, as that reads it, piece by piece; known secrets are taken out there. */
export const openLogElsewhere = async (
	context: Pick<ActionContext, 'bus' | 'places'>,
	refused: Refused,
	{agentId, stream, follow}: Reading & {readonly agentId: string},
): Promise<Outcome<RunLog>> => {
	const read = (after: number, waits: boolean): Promise<Outcome<LogPiece>> =>
		askElsewhere(context, refused, {ask: 'log', agentId, stream, after, waits});
	const begun = await read(0, follow !== undefined);
	if (!begun.ok) return begun;
	const first = begun.value;
	const pieces = async function* (): AsyncGenerator<Uint8Array> {
		let piece = first;
		for (;;) {
			if (piece.text !== '') yield Buffer.from(piece.text);
			if (piece.isOver || follow?.aborted) return;
			piece = expectAccepted(await read(piece.after, follow !== undefined));
		}
	};
	return accepted({
		bytes: pieces,
		lines: () => (stream === 'stderr' ? linesOf(pieces()) : readableLines(pieces(), async () => first.form)),
	});
};
