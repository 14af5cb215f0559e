import * as z from 'zod/mini';
import {expected, text} from './shapes.ts';

/**
 * Params of a bee, such as `model`, that a plan or a request sets. The log may have any; which ones count is
 * up to the colony (docs/rules.md §9).
 */
export type Params = Readonly<Record<string, string>>;

/** Maximum number of characters of a value, and of params beside each other. */
const maxLength = 200;
const maxParams = 20;

const isParamName = (name: string): boolean => /^[A-Za-z][\w.-]{0,63}$/.test(name);

/**
 * The kind of text that was expected in place of this one, which becomes an argument of its own and so must
 * not look like a flag. Undefined if the text is fine.
 */
export const expectedArgument = (value: string): string | undefined => {
	if (value.startsWith('-')) return 'text that does not start with "-"';
	return /\p{Cc}/u.test(value) ? 'text without control characters' : undefined;
};

const value = text.check(
	z.minLength(1, {error: 'must not be empty'}),
	z.maxLength(maxLength, {error: `must be at most ${maxLength} characters`}),
	z.refine(argument => expectedArgument(argument) === undefined, {
		error: ({input}) => `must be ${expectedArgument(String(input))}`,
	}),
);

/** The field `params` of a planned task and of a request. */
export const params = z
	.record(z.string().check(z.refine(isParamName, {error: 'must be the name of a param'})), value, {
		error: expected('an object with texts, such as {"model": "…"}'),
	})
	.check(
		z.refine(given => Object.keys(given).length <= maxParams, {error: `must be at most ${maxParams} params`}),
	);

/** Reads that field from the log. Undefined without a usable value; values of the wrong form are left out. */
export const readParams = (raw: unknown): Params | undefined => {
	if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
	const usable = Object.entries(raw)
		.slice(0, maxParams)
		.filter(([name, given]) => isParamName(name) && value.safeParse(given).success);
	return usable.length === 0 ? undefined : Object.fromEntries(usable);
};
