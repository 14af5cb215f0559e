import {isObject, type JsonObject} from '../../domain/json.ts';
import type {ReactorAnswer} from '../../ports/reactor-channel.ts';

/**
 * What is said over the reactor's socket: one JSON object per line. A request carries `v`, `n` and `op`; its
 * answer carries the same `n`. Besides answers the reactor sends `woken` to those who asked with `listen`.
 */
export const protocolVersion = 1;

/** In characters; whoever sends a longer line is cut off. */
export const maxLineLength = 1024 * 1024;

export type Answer = ReactorAnswer & {readonly n: number};

/** Something in the store has changed; the word is that of protocol version 1. */
export const woken = {poke: true} as const;

/** What came over the socket is anybody's until it is checked. */
export const readAnswer = ({ok, value, error}: JsonObject): ReactorAnswer | undefined => {
	if (ok === true) return {ok, value};
	if (ok !== false || !isObject(error)) return undefined;
	const {code, message, hint} = error;
	if (typeof code !== 'string' || typeof message !== 'string') return undefined;
	return {ok, error: {code, message, ...(typeof hint === 'string' && {hint})}};
};
