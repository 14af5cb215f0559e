import type {ReactorAnswer} from '../../ports/reactor-channel.ts';

/**
 * What is said over the reactor's socket: one JSON object per line. A request carries `v`, `n` and `op`; its answer
 * carries the same `n`. Besides answers the reactor sends `woken` to those who asked with `listen`.
 */
export const protocolVersion = 1;

/** In characters; whoever sends a longer line is cut off. */
export const maxLineLength = 1024 * 1024;

export type Answer = ReactorAnswer & {readonly n: number};

/** Something in the store has changed; the word is that of protocol version 1. */
export const woken = {poke: true} as const;

export type Fields = {readonly [field: string]: unknown};

/** The object that a line holds, whoever sent it; nothing when it holds anything else. */
export const parseObject = (line: string): Fields | undefined => {
	try {
		const value: unknown = JSON.parse(line);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

export const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What came over the socket is anybody's until it is checked. */
export const readAnswer = ({ok, value, error}: Fields): ReactorAnswer | undefined => {
	if (ok === true) return {ok, value};
	if (ok !== false || !isObject(error)) return undefined;
	const {code, message, hint} = error;
	if (typeof code !== 'string' || typeof message !== 'string') return undefined;
	return {ok, error: {code, message, ...(typeof hint === 'string' && {hint})}};
};
