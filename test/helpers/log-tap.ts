import type {StoredEvent} from '../../source/domain/event.ts';

type Tap = (events: readonly StoredEvent[]) => void;

let logTap: Tap | undefined;

/** Has every log that tests of this file make handed to `to`, a trace at a time. */
export const tapLogs = (to: Tap): void => {
	logTap = to;
};

/** Nobody takes logs but while history is recorded. */
export const isTapped = (): boolean => logTap !== undefined;

export const emitToTap = (events: readonly StoredEvent[]): void => logTap?.(events);
