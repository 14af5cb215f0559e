import type {ActionContext} from '../../actions/context.ts';
import {accepted, expectAccepted, type Outcome, type Refused} from '../../domain/errors.ts';
import type {LogTimes} from '../../runs/log-times.ts';
import {type LogForm, type Reading, type RunLog, readableLines} from '../logs/run-log.ts';
import {createToldTimes} from '../logs/told-times.ts';
import type {LogPiece} from './answer-place.ts';
import {askElsewhere} from './place-questions.ts';

type Read = Reading & {readonly agentId: string};

type ReadElsewhere = {
	readonly form: LogForm;
	/** Once. */
	readonly bytes: () => AsyncGenerator<Uint8Array>;
	/** Of what was read of them. */
	readonly times: LogTimes;
};

/** What a run of another place wrote, piece by piece as that reads it, and how it is written; known secrets are taken out there. */
export const readElsewhere = async (
	context: Pick<ActionContext, 'bus' | 'places'>,
	refused: Refused,
	{agentId, stream, follow}: Read,
): Promise<Outcome<ReadElsewhere>> => {
	const read = (after: number): Promise<Outcome<LogPiece>> =>
		askElsewhere(context, refused, {ask: 'log', agentId, stream, after, waits: follow !== undefined});
	const first = await read(0);
	if (!first.ok) return first;
	const times = createToldTimes();
	const bytes = async function* (): AsyncGenerator<Uint8Array> {
		for (let piece = first.value; ; piece = expectAccepted(await read(piece.after))) {
			const written = Buffer.from(piece.text);
			times.take(written, piece.times ?? []);
			if (written.length > 0) yield written;
			if (piece.isOver || follow?.aborted) return;
		}
	};
	return accepted({form: first.value.form, bytes, times: times.at});
};

export const openLogElsewhere = async (
	context: Pick<ActionContext, 'bus' | 'places'>,
	refused: Refused,
	reading: Read,
): Promise<Outcome<RunLog>> => {
	const read = await readElsewhere(context, refused, reading);
	if (!read.ok) return read;
	const {form, bytes, times} = read.value;
	return accepted({
		bytes,
		lines: () => readableLines(bytes(), async () => form, times),
	});
};
