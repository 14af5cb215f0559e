import {counted} from './counted.ts';
import type {Payload} from './event.ts';

/** What a run has emitted itself; what hive says of it is not counted. */
export type EmittedSum = {readonly events: number; readonly bytes: number};

/**
 * Events that a run may emit, unless `defaults.max_events` says another number, and bytes of their payloads
 * together.
 */
const mostEvents = 2000;
const mostEventBytes = 8 * 1024 * 1024;

export const emittedNothing: EmittedSum = {events: 0, bytes: 0};

export const withEmitted = ({events, bytes}: EmittedSum, payload: Payload): EmittedSum => ({
	events: events + 1,
	bytes: bytes + new TextEncoder().encode(JSON.stringify(payload)).length,
});

export const isTooMuch = ({events, bytes}: EmittedSum, most = mostEvents): boolean =>
	events > most || bytes > mostEventBytes;

/** Once: of the event with which half of what a run may emit is reached. */
export const halfWarning = (before: EmittedSum, after: EmittedSum, most = mostEvents): readonly string[] => {
	const isHalf = ({events, bytes}: EmittedSum) => events * 2 >= most || bytes * 2 >= mostEventBytes;
	return isHalf(after) && !isHalf(before)
		? [`Half of what this run may emit is used: ${wordsOf(after, most)}.`]
		: [];
};

/** The same for each event that is one too many: it is noted once. */
export const tooMuchWords = (most = mostEvents): string =>
	`A run may emit ${counted(most, 'event')} and 8 MiB of them, and this one has.`;

const wordsOf = ({events, bytes}: EmittedSum, most: number): string =>
	`${events} of ${counted(most, 'event')}, ${(bytes / 1024 / 1024).toFixed(1)} of 8 MiB`;
