import type {StoredEvent} from '../../source/domain/event.ts';

type Tap = (events: readonly StoredEvent[]) => void;

let logTap: Tap | undefined;

/** Hands every log that tests of this file make to `to`, one trace at a time. */
export const tapLogs = (to: Tap): void => {
	logTap = to;
};

/** True only while history is recorded. */
export const isTapped = (): boolean => logTap !== undefined;

export const emitToTap = (events: readonly StoredEvent[]): void => logTap?.(events);
