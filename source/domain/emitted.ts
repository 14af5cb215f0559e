import {counted} from './counted.ts';
import type {Payload} from './event.ts';

/** The events that a run has emitted itself. Events of hive about the run are not counted. */
export type EmittedSum = {readonly events: number; readonly bytes: number};

/**
 * Maximum number of events that a run may emit, unless `defaults.max_events` sets another, and maximum total
 * bytes of their payloads.
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

/** A warning for the one event that reaches half of the run's limit; otherwise empty. */
export const halfWarning = (before: EmittedSum, after: EmittedSum, most = mostEvents): readonly string[] => {
	const isHalf = ({events, bytes}: EmittedSum) => events * 2 >= most || bytes * 2 >= mostEventBytes;
	return isHalf(after) && !isHalf(before)
		? [`Half of what this run may emit is used: ${wordsOf(after, most)}.`]
		: [];
};

/** The same text for each event over the limit, so that it is noted only once. */
export const tooMuchWords = (most = mostEvents): string =>
	`A run may emit ${counted(most, 'event')} and 8 MiB of them, and this one has.`;

const wordsOf = ({events, bytes}: EmittedSum, most: number): string =>
	`${events} of ${counted(most, 'event')}, ${(bytes / 1024 / 1024).toFixed(1)} of 8 MiB`;
