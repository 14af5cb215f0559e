import type {StoredEvent} from '../../source/domain/event.ts';

type Tap = (events: readonly StoredEvent[]) => void;

let tap: Tap | undefined;

/** Has every log that tests of this file make handed to `to`, a trace at a time. */
export const tapLogs = (to: Tap): void => {
	tap = to;
};

/** Nobody takes logs but while history is recorded. */
export const isTapped = (): boolean => tap !== undefined;

export const handLog = (events: readonly StoredEvent[]): void => tap?.(events);
