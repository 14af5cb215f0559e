import {type ErrorCode, errorTable} from './error-table.ts';
import {exhaustedHint, mentionsExhaustion} from './exhausted.ts';

/** One finding of a validation. `path` is dotted, with array indexes: `payload.tasks.1.dependsOn.0`. */
export type Detail = {readonly path: string; readonly message: string; readonly hint?: string | undefined};

/** The path of the file of a finding, whose own path may end with a line number (`.hive/bees/a.yaml:2`). */
export const fileOf = ({path}: Pick<Detail, 'path'>): string => path.replace(/:\d+$/, '');

/** Why an expected request was refused. */
export type Refusal = {
	readonly code: ErrorCode;
	readonly message: string;
	readonly hint: string;
	readonly details: readonly Detail[];
};

export type Refused = {readonly ok: false; readonly refusal: Refusal};

/** An expected outcome: a value, or a refusal. Faults throw `HiveError`. */
export type Outcome<Value> = {readonly ok: true; readonly value: Value} | Refused;

export const accepted = <Value>(value: Value): Outcome<Value> => ({ok: true, value});

/** Creates a refusal; fields that are not given come from the error table. */
export const refuse = (
	code: ErrorCode,
	say: {message?: string; hint?: string; details?: readonly Detail[]} = {},
): Refused => ({
	ok: false,
	refusal: {
		code,
		message: say.message ?? errorTable[code].message,
		hint:
			isFault(code) && mentionsExhaustion(say.message ?? '')
				? exhaustedHint
				: (say.hint ?? errorTable[code].hint),
		details: say.details ?? [],
	},
});

/** True if errors of this code carry a message of the system or of git. */
const isFault = (code: ErrorCode): boolean => code === 'internal' || code === 'bus_unreachable';

/** The message, followed by the hint if that is more precise than the error table's. */
export const formatRefusal = ({code, message, hint}: Refusal): string =>
	hint === errorTable[code].hint ? message : `${message} ${hint}`;

/** A fault, or a refusal that passes through code which cannot handle it. */
export class HiveError extends Error {
	readonly refusal: Refusal;

	constructor(
		code: ErrorCode,
		say: {message?: string; hint?: string; details?: readonly Detail[]; cause?: unknown} = {},
	) {
		const {refusal} = refuse(code, say);
		super(refusal.message, {cause: say.cause});
		this.name = 'HiveError';
		this.refusal = refusal;
	}
}

/**
 * Returns the refusal that an error carries. It is recognized by its shape, since the dashboard is a separate
 * bundle with its own error class.
 */
export const refusalOf = (error: unknown): Refusal | undefined =>
	error instanceof Error && 'refusal' in error ? (error as HiveError).refusal : undefined;

/** Returns the value of an outcome, or throws its refusal. */
export const expectAccepted = <Value>(outcome: Outcome<Value>): Value => {
	if (outcome.ok) return outcome.value;
	throw new HiveError(outcome.refusal.code, outcome.refusal);
};
