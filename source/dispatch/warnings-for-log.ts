import {maxWarningLength, maxWarnings} from '../domain/run.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd} from './remains.ts';

/**
 * The warnings for `run.finished`, limited in number and length. They are redacted before they are cut, so
 * that no part of a secret remains (docs/reliability.md I12).
 */
export const warningsForLog = ({redact}: RedactingPorts, warnings: readonly string[]): readonly string[] =>
	warnings.slice(0, maxWarnings).map(text => cutEnd(redact(text), maxWarningLength - 1));
