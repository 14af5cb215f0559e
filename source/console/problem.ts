import {errorTable} from '../domain/error-table.ts';
import {type Refusal, type Refused, refusalOf, refuse} from '../domain/errors.ts';

/** A refusal as RFC 9457 has it; `code` is that of the error table. */
export const problemOf = ({code, message, hint, details}: Refusal) => ({
	type: 'about:blank',
	status: errorTable[code].http,
	title: ofRequest(errorTable[code].message),
	detail: ofRequest(message),
	code,
	hint: ofRequest(hint),
	...(details.length === 0 ? {} : {errors: details}),
});

/** The same where no command line was written. */
const ofRequest = (text: string): string => {
	if (text === errorTable.usage.message) return 'The request is not valid.';
	return text === errorTable.usage.hint ? 'See /api/openapi.json.' : text;
};

/**
 * What an error is refused with. What went wrong inside hive is reported, and named to the caller by its code
 * alone.
 */
export const refusedFor = (error: unknown, faults: {readonly report: (error: unknown) => void}): Refused => {
	const refusal = refusalOf(error);
	if (refusal !== undefined) return {ok: false, refusal};
	faults.report(error);
	return refuse('internal');
};
