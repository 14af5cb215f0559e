import type {Read} from './read.ts';
import {colonyReads} from './reads-colony.ts';
import {runReads} from './reads-runs.ts';
import {traceReads} from './reads-traces.ts';

/** All read routes. */
export const reads: readonly Read[] = [...colonyReads, ...traceReads, ...runReads];
