import type {ActionContext} from '../../actions/context.ts';
import {accepted, expectAccepted, type Outcome, type Refused} from '../../domain/errors.ts';
import {createLineTimestamps} from '../logs/line-timestamps.ts';
import type {RunOutput} from '../logs/read-output.ts';
import type {RunLogOptions} from '../logs/run-log.ts';
import type {LogPiece} from './answer-machine.ts';
import {askElsewhere} from './machine-questions.ts';

type Read = RunLogOptions & {readonly agentId: string};

/**
 * Reads the output of a run at another checkout, piece by piece, and its format. Known secrets are removed
 * there.
 */
export const readElsewhere = async (
	context: Pick<ActionContext, 'bus' | 'machines'>,
	refused: Refused,
	{agentId, stream, follow}: Read,
): Promise<Outcome<RunOutput>> => {
	const read = (after: number): Promise<Outcome<LogPiece>> =>
		askElsewhere(context, refused, {ask: 'log', agentId, stream, after, waits: follow !== undefined});
	const first = await read(0);
	if (!first.ok) return first;
	const times = createLineTimestamps();
	const bytes = async function* (): AsyncGenerator<Uint8Array> {
		for (let piece = first.value; ; piece = expectAccepted(await read(piece.after))) {
			const written = Buffer.from(piece.text);
			times.addPiece(written, piece.times ?? []);
			if (written.length > 0) yield written;
			if (piece.isOver || follow?.aborted) return;
		}
	};
	const {form} = first.value;
	return accepted({bytes: bytes(), start: () => 0, form: async () => form, times: times.at});
};
