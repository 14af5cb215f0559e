import * as z from 'zod/mini';
import type {ActionContext} from '../../actions/context.ts';
import {errorMessage} from '../../domain/error-message.ts';
import {accepted, type Outcome, refusalOf, refuse} from '../../domain/errors.ts';
import {createRedactorOfPieces} from '../../domain/redact.ts';
import {runDirectory} from '../../runs/layout.ts';
import {inLatin1} from '../../runs/read-log.ts';
import {actionTable, isActionId} from '../actions/table.ts';
import type {FaultLog} from '../fault-log.ts';
import {findRun} from '../logs/find-run.ts';
import {type LineTimestamps, readLineTimestamps} from '../logs/line-timestamps.ts';
import {type LogForm, readOutput} from '../logs/read-output.ts';
import {createRunEnd} from '../logs/run-end.ts';
import {previewTrace} from '../review/proposals.ts';
import {mergedHere, sayClone} from './clone.ts';
import {type MachineQuestion, machineQuestion} from './machine-questions.ts';

/** A piece of a run's log, in whole lines, and the log's format. */
export type LogPiece = {
	readonly text: string;
	/** Timestamps of its lines; an older hive sends none. */
	readonly times?: LineTimestamps;
	readonly form: LogForm;
	/** Offset of its end in the log, in bytes. */
	readonly after: number;
	/** True if nothing follows this piece. */
	readonly isOver: boolean;
};

type Answering = {
	readonly secrets: () => readonly string[];
	readonly faults: Pick<FaultLog, 'report'>;
	readonly signal: AbortSignal;
};

/**
 * Answers a request of another checkout as a face here would be answered. The request is untrusted until it
 * is checked. Known secrets are removed from the answer.
 *
 * @param secrets known so far
 * @param faults receives internal errors; the other checkout gets their message
 * @param signal ends requests that only wait
 */
export const answerMachine = async (
	context: ActionContext,
	raw: unknown,
	{secrets, faults, signal}: Answering,
): Promise<Outcome<unknown>> => {
	const read = z.safeParse(machineQuestion, raw);
	if (!read.success) return refuse('usage', {message: 'This version of hive does not know the request.'});
	// Without `places`, a trace that has moved on since is refused instead of asked for at a third checkout.
	const {machines: _, ...bus} = context.bus;
	const {redact = (text: string) => text} = context;
	const answered = await answer({...context, bus}, read.data, {secrets, faults, signal}).catch(error => {
		if (refusalOf(error) === undefined) faults.report(error);
		return outcomeOf(error);
	});
	if (answered.ok) return answered;
	const {code, message, hint, details} = answered.refusal;
	return refuse(code, {
		message: redact(message),
		hint: redact(hint),
		details: details.map(({path, message: words}) => ({path: redact(path), message: redact(words)})),
	});
};

const outcomeOf = (error: unknown): Outcome<never> => {
	const refusal = refusalOf(error);
	if (refusal !== undefined) return {ok: false, refusal};
	return refuse('internal', {message: errorMessage(error)});
};

const answer = async (
	context: ActionContext,
	question: MachineQuestion,
	answering: Answering,
): Promise<Outcome<unknown>> => {
	switch (question.ask) {
		case 'act': {
			const {id, input, by} = question;
			if (!isActionId(id) || !actionTable[id].anywhere)
				return refuse('usage', {message: `"${id}" cannot be done for another machine.`});
			const done = await actionTable[id].run({...context, by}, input);
			const clone =
				done.ok && id === 'proposal.approve' ? await mergedHere(context, done.value.value) : undefined;
			if (!done.ok || clone === undefined) return done;
			const [first = '', ...more] = done.value.sentences;
			return accepted({
				value: {...Object(done.value.value), clone},
				sentences: [first, sayClone(clone), ...more],
			});
		}
		case 'preview':
			return previewTrace(context, question.traceId);
		case 'line':
			return (await import('../blame/changed-line.ts')).explainChangedLine(context, question, question);
		case 'log':
			return readLogPiece(context, question, answering);
	}
};

/** Approximate bytes of a piece at which a line is split, and milliseconds to wait for more. */
const maxPieceBytes = 128 * 1024;
const maxWaitMs = 20_000;

const readLogPiece = async (
	context: ActionContext,
	{agentId, stream, after, waits}: Extract<MachineQuestion, {ask: 'log'}>,
	{secrets, signal}: Answering,
): Promise<Outcome<LogPiece>> => {
	const found = await findRun(context, agentId);
	if (!found.ok) return found;
	const {files, colony, clock, redact = (text: string) => text} = context;
	const folder = runDirectory(colony.root, found.value.traceId, agentId);
	const over = new AbortController();
	const cancel = clock.after(maxWaitMs, () => over.abort());
	const ends = AbortSignal.any([signal, over.signal]);
	const output = await readOutput(files, folder, {
		stream,
		after,
		follow: waits ? {signal: ends, isOver: createRunEnd(context, found.value)} : undefined,
	});
	let bytes = Buffer.alloc(0);
	let end = 0;
	let isOver = false;
	try {
		while (end === 0 && !isOver) {
			const next = await output.bytes.next();
			isOver = next.done === true && !ends.aborted;
			if (next.done) break;
			bytes = Buffer.concat([bytes, next.value]);
			end = endOfPiece(bytes, secrets());
		}
	} finally {
		cancel();
		over.abort();
		await output.bytes.return(undefined);
	}
	const length = isOver ? bytes.length : end;
	const piece = bytes.subarray(0, length);
	return accepted({
		text: redact(piece.toString('utf8')),
		times: await readLineTimestamps(piece, after, output.times),
		form: await output.form(),
		after: after + length,
		isOver,
	});
};

/**
 * Returns the end of the last whole line; a very long line is split. Bytes at which a secret may begin are
 * left for the next piece.
 */
const endOfPiece = (bytes: Buffer, secrets: readonly string[]): number => {
	const lines = bytes.lastIndexOf(0x0a) + 1;
	const end = lines === 0 && bytes.length >= maxPieceBytes ? bytes.length : lines;
	const redact = createRedactorOfPieces(inLatin1(secrets));
	redact.push(bytes.toString('latin1', 0, end));
	return end - redact.end().length;
};
