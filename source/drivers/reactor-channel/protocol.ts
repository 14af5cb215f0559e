import {isObject, type JsonObject} from '../../domain/json.ts';
import type {ReactorAnswer} from '../../ports/reactor-channel.ts';

/**
 * Messages on the reactor's socket: one JSON object per line. A request carries `v`, `n` and `op`; its answer
 * carries the same `n`. Besides answers the reactor sends `woken` to every client that has sent `listen`.
 */
export const protocolVersion = 1;

/** Max characters of a line. A client that sends a longer one is cut off. */
export const maxLineLength = 1024 * 1024;

export type Answer = ReactorAnswer & {readonly n: number};

/** The store has changed. The name `poke` is that of protocol version 1. */
export const changeNotice = {poke: true} as const;

/** Checks an answer: any content may arrive on the socket. */
export const readAnswer = ({ok, value, error}: JsonObject): ReactorAnswer | undefined => {
	if (ok === true) return {ok, value};
	if (ok !== false || !isObject(error)) return undefined;
	const {code, message, hint} = error;
	if (typeof code !== 'string' || typeof message !== 'string') return undefined;
	return {ok, error: {code, message, ...(typeof hint === 'string' && {hint})}};
};
