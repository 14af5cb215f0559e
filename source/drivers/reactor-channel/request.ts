import {eventTypes, type NewEvent} from '../../domain/event.ts';
import {isObject, type JsonObject, parseObject} from '../../domain/json.ts';
import {protocolVersion} from './protocol.ts';

export type Request = {readonly n: number} & (
	| {readonly op: 'append'; readonly event: NewEvent; readonly id: string; readonly after: number | undefined}
	/** `event` is the sender's raw input; the reactor validates it. */
	| {readonly op: 'emit'; readonly event: unknown; readonly id: string | undefined}
	/** Asks for the answer to a question; it comes when a person answers. */
	| {readonly op: 'answer'; readonly traceId: string; readonly questionId: string}
	| {readonly op: 'ping'}
	/** Asks to be notified from now on. */
	| {readonly op: 'listen'}
	/** Reports that the sender has changed the store itself. It has no answer. */
	| {readonly op: 'changed'}
);

/** The request in a line, or the reason why it is refused. */
export type ParsedRequest = {readonly request: Request} | {readonly n: number; readonly problem: string};

export const parseRequest = (line: string): ParsedRequest => {
	const message = parseObject(line);
	if (!message) return {n: 0, problem: 'The line is not one JSON object.'};
	const n = typeof message.n === 'number' ? message.n : 0;
	if (message.v !== protocolVersion)
		return {
			n,
			problem: `This reactor speaks version ${protocolVersion} of the protocol; update the older hive.`,
		};
	const request = requestOf(n, message);
	return request
		? {request}
		: {n, problem: `The request "${String(message.op)}" is not known or not complete.`};
};

const requestOf = (n: number, message: JsonObject): Request | undefined => {
	const {op, event, id, after, traceId, questionId} = message;
	if (op === 'answer')
		return typeof traceId === 'string' && typeof questionId === 'string'
			? {n, op, traceId, questionId}
			: undefined;
	if (op === 'ping' || op === 'listen' || op === 'changed') return {n, op};
	if (op === 'emit') return {n, op, event, id: typeof id === 'string' ? id : undefined};
	if (op !== 'append' || typeof id !== 'string' || !isEvent(event)) return undefined;
	if (after !== undefined && typeof after !== 'number') return undefined;
	return {n, op, event, id, after};
};

const isEvent = (value: unknown): value is NewEvent =>
	isObject(value) &&
	typeof value.traceId === 'string' &&
	eventTypes.some(type => type === value.type) &&
	isObject(value.payload) &&
	typeof value.payload.kind === 'string';
