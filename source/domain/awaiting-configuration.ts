import type {Detail} from './errors.ts';

/**
 * The hint for a file below `.hive/` that was changed while another program could write there
 * (docs/architecture.md §7).
 */
export const acceptHint = '"hive doctor --accept" shows it, and puts it in force once you agree.';

/** True if this problem of the configuration is a change that waits for a person's acceptance. */
export const awaitsAcceptance = ({hint}: Pick<Detail, 'hint'>): boolean => hint === acceptHint;
