import type {Read} from './read.ts';
import {colonyReads} from './reads-colony.ts';
import {runReads} from './reads-runs.ts';
import {traceReads} from './reads-traces.ts';

/** Every route that reads. */
export const reads: readonly Read[] = [...colonyReads, ...traceReads, ...runReads];
