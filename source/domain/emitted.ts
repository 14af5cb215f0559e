import type {Payload} from './event.ts';
import {formatCount} from './format-count.ts';

/** The events that a run has emitted itself. Events of hive about the run are not counted. */
export type EmittedSum = {readonly events: number; readonly bytes: number};

/**
 * Maximum number of events that a run may emit, unless `defaults.max_events` sets another, and maximum total
 * bytes of their payloads.
 */
const defaultMaxEvents = 2000;
const maxEmittedBytes = 8 * 1024 * 1024;

export const emittedNothing: EmittedSum = {events: 0, bytes: 0};

export const addEmitted = ({events, bytes}: EmittedSum, payload: Payload): EmittedSum => ({
	events: events + 1,
	bytes: bytes + new TextEncoder().encode(JSON.stringify(payload)).length,
});

export const exceedsEmitLimit = ({events, bytes}: EmittedSum, maxEvents = defaultMaxEvents): boolean =>
	events > maxEvents || bytes > maxEmittedBytes;

/** A warning for the one event that reaches half of the run's limit; otherwise empty. */
export const warnAtHalfLimit = (
	before: EmittedSum,
	after: EmittedSum,
	maxEvents = defaultMaxEvents,
): readonly string[] => {
	const isHalfUsed = ({events, bytes}: EmittedSum) => events * 2 >= maxEvents || bytes * 2 >= maxEmittedBytes;
	return isHalfUsed(after) && !isHalfUsed(before)
		? [`Half of what this run may emit is used: ${formatEmitted(after, maxEvents)}.`]
		: [];
};

/** The same text for each event over the limit, so that it is noted only once. */
export const formatEmitLimitReached = (maxEvents = defaultMaxEvents): string =>
	`A run may emit ${formatCount(maxEvents, 'event')} and 8 MiB of them, and this run has reached that limit.`;

const formatEmitted = ({events, bytes}: EmittedSum, maxEvents: number): string =>
	`${events} of ${formatCount(maxEvents, 'event')}, ${(bytes / 1024 / 1024).toFixed(1)} of 8 MiB`;
