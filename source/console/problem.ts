import {errorTable} from '../domain/error-table.ts';
import {type Refusal, type Refused, refusalOf, refuse} from '../domain/errors.ts';

/** A refusal as RFC 9457 has it; `code` is that of the error table. */
export const problemOf = ({code, message, hint, details}: Refusal) => ({
	type: 'about:blank',
	status: errorTable[code].http,
	title: errorTable[code].message,
	detail: message,
	code,
	hint,
	...(details.length === 0 ? {} : {errors: details}),
});

/** What went wrong inside hive is said by its code alone, unless it is a refusal on its way through. */
export const refusedFor = (error: unknown): Refused => {
	const refusal = refusalOf(error);
	return refusal === undefined ? refuse('internal') : {ok: false, refusal};
};
