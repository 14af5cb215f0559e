import type {Payload} from '../domain/event.ts';
import {longestWarning, mostWarnings} from '../domain/run.ts';

/** Events are checked before they are appended; the fold still has an answer for a payload of any shape. */
export const textOf = (payload: Payload, field: string): string => {
	const value = payload[field];
	return typeof value === 'string' ? value : '';
};

/** A safe whole number, or nothing. */
export const numberOf = (payload: Payload, field: string): number | undefined => {
	const value = payload[field];
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
};

/** The warnings of a `run.finished`, as many and as long as there may be. */
export const warningsIn = ({warnings}: Payload): readonly string[] =>
	Array.isArray(warnings)
		? warnings
				.filter((text): text is string => typeof text === 'string' && text !== '')
				.slice(0, mostWarnings)
				.map(text => text.slice(0, longestWarning))
		: [];
