import {randomBytes} from 'node:crypto';
import {isEventId} from '../domain/ids.ts';
import {offerTo} from '../drivers/reactor-channel/ask.ts';
import type {EmitAnswer, EmitRequest} from '../host/emit/answer-emit.ts';
import {locateColony} from '../host/locate-colony.ts';
import {findInsideRun} from '../wire/inside-run.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An event that was read, and the answer of a live reactor. Without an answer the event still has to be
 * emitted.
 */
export type Offered = {
	readonly text: string;
	/** Event id of the offer. Emit the event under the same id: an answer can be lost after the append. */
	readonly id: string;
	readonly answer: EmitAnswer | undefined;
};

/** Names the id of an event that was offered before, so that it is published once. */
export const eventIdVariable = 'HIVE_EVENT_ID';

/**
 * Offers an event, as written, to the reactor that holds this checkout's lock (docs/performance.md rows 3 to
 * 5).
 */
export const offerEvent = async (text: string, env: Environment, cwd: string): Promise<Offered> => {
	const {[eventIdVariable]: before} = env;
	const id = isEventId(before) ? before : eventId();
	const colony = locateColony(env, cwd);
	if (colony === undefined) return {text, id, answer: undefined};
	const inside = await findInsideRun(env, colony.root);
	const traceId = inside?.traceId || env.HIVE_TRACE_ID;
	const request: EmitRequest = {text, traceId, agentId: inside?.agentId, busUrl: env.HIVE_BUS_URL};
	const answer = await offerTo(colony.socket, request, id);
	return {text, id, answer: answer?.ok ? readAnswer(answer.value) : undefined};
};

/** Returns an id in the form of `IdSource.event`: 48 bits of milliseconds since 1970, then 64 random bits. */
const eventId = (): string => `${Date.now().toString(16).padStart(12, '0')}${randomBytes(8).toString('hex')}`;

/**
 * Returns undefined for an answer of another shape, or a failure: this process then emits the event and
 * reports why.
 */
const readAnswer = (value: unknown): EmitAnswer | undefined => {
	if (!isObject(value)) return undefined;
	const {exit, json} = value;
	return typeof exit === 'number' && isObject(json) ? {exit, json} : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;
