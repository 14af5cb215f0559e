import {randomBytes} from 'node:crypto';
import {callReactor} from '../drivers/sqlite-bus/call-reactor.ts';
import type {EmitAnswer, EmitRequest} from '../host/answer-emit.ts';
import {locateColony} from '../host/locate-colony.ts';

/** An event that was read, and what a live reactor said to it; without an answer it is still to be emitted. */
export type Offered = {
	readonly text: string;
	/** Event id it was offered under. Emit it under the same: the answer may have been lost after the append. */
	readonly id: string;
	readonly answer: EmitAnswer | undefined;
};

/** Longer than any group commit takes; then the event goes to the store directly. */
const patienceMilliseconds = 5000;

/** Hands an event, as written, to the reactor that holds this checkout's lock (performance.md, rows 3-5). */
export const offerEvent = async (
	text: string,
	env: Readonly<Record<string, string | undefined>>,
	cwd: string,
): Promise<Offered> => {
	const id = eventId();
	const colony = locateColony(env, cwd);
	if (colony === undefined) return {text, id, answer: undefined};
	const request: EmitRequest = {text, traceId: env.HIVE_TRACE_ID, agentId: env.HIVE_AGENT_ID};
	const answer = await callReactor(colony.socket, {op: 'emit', event: request, id}, patienceMilliseconds);
	return {text, id, answer: readAnswer(answer)};
};

/** The form of `IdSource.event`: 48 bits of UTC milliseconds, then 64 random bits. */
const eventId = (): string => `${Date.now().toString(16).padStart(12, '0')}${randomBytes(8).toString('hex')}`;

/** An answer of another shape, or a failure, is no answer: emitting it ourselves says why. */
const readAnswer = (message: unknown): EmitAnswer | undefined => {
	if (!isObject(message) || message.ok !== true || !isObject(message.value)) return undefined;
	const {exit, json} = message.value;
	return typeof exit === 'number' && isObject(json) ? {exit, json} : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;
