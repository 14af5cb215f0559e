import type {Payload} from '../domain/event.ts';

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
