import type {Detail} from './errors.ts';

/**
 * The next step of a file below `.hive/` that was changed while somebody else could write there
 * (docs/architecture.md §7).
 */
export const acceptHint = '"hive doctor --accept" shows it, and puts it in force once you agree.';

/** It is a change that awaits a person, among what is wrong with the configuration. */
export const awaitsAcceptance = ({hint}: Pick<Detail, 'hint'>): boolean => hint === acceptHint;
