import {type ErrorCode, errorTable} from './error-table.ts';
import {howToGetMore, saysExhausted} from './exhausted.ts';

/** One finding of a validation. `path` is dotted, with array indexes: `payload.tasks.1.dependsOn.0`. */
export type Detail = {readonly path: string; readonly message: string; readonly hint?: string | undefined};

/** Of a finding in a file, whose path ends with the line (`.hive/bees/a.yaml:2`): the path of the file. */
export const fileOf = ({path}: Pick<Detail, 'path'>): string => path.replace(/:\d+$/, '');

/** Why something expected was not done. */
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

/** A refusal as a value; what is not given comes from the error table. */
export const refuse = (
	code: ErrorCode,
	say: {message?: string; hint?: string; details?: readonly Detail[]} = {},
): Refused => ({
	ok: false,
	refusal: {
		code,
		message: say.message ?? errorTable[code].message,
		hint:
			isFault(code) && saysExhausted(say.message ?? '') ? howToGetMore : (say.hint ?? errorTable[code].hint),
		details: say.details ?? [],
	},
});

/** Of these codes the words are the system's or git's own. */
const isFault = (code: ErrorCode): boolean => code === 'internal' || code === 'bus_unreachable';

/** What happened, and the next step where it is more exact than the error table's. */
export const wordsOf = ({code, message, hint}: Refusal): string =>
	hint === errorTable[code].hint ? message : `${message} ${hint}`;

/** A fault, or a refusal on its way through code that has nothing to add. */
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
 * The refusal that an error carries, known by its shape: the dashboard is a bundle with an error class of its
 * own.
 */
export const refusalOf = (error: unknown): Refusal | undefined =>
	error instanceof Error && 'refusal' in error ? (error as HiveError).refusal : undefined;

/** The value of an outcome, or its refusal thrown. */
export const expectAccepted = <Value>(outcome: Outcome<Value>): Value => {
	if (outcome.ok) return outcome.value;
	throw new HiveError(outcome.refusal.code, outcome.refusal);
};
