import {longestWarning, mostWarnings} from '../domain/run.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd} from './remains.ts';

/**
 * What `run.finished` carries of the warnings. A secret is taken out while it is whole (docs/reliability.md
 * I12).
 */
export const warningsForLog = ({redact}: RedactingPorts, warnings: readonly string[]): readonly string[] =>
	warnings.slice(0, mostWarnings).map(text => cutEnd(redact(text), longestWarning - 1));
