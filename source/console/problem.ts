import {errorTable} from '../domain/error-table.ts';
import {type Refusal, type Refused, refusalOf, refuse} from '../domain/errors.ts';

/** A refusal as a problem document (RFC 9457). `code` is the code of the error table. */
export const problemOf = ({code, message, hint, details}: Refusal) => ({
	type: 'about:blank',
	status: errorTable[code].http,
	title: ofRequest(errorTable[code].message),
	detail: ofRequest(message),
	code,
	hint: ofRequest(hint),
	...(details.length === 0 ? {} : {errors: details}),
});

/** Replaces texts that refer to the command line. */
const ofRequest = (text: string): string => {
	if (text === errorTable.usage.message) return 'The request is not valid.';
	return text === errorTable.usage.hint ? 'See /api/openapi.json.' : text;
};

/** The refusal for an error. An internal error is reported, and the caller only sees its code. */
export const refusedFor = (error: unknown, faults: {readonly report: (error: unknown) => void}): Refused => {
	const refusal = refusalOf(error);
	if (refusal !== undefined) return {ok: false, refusal};
	faults.report(error);
	return refuse('internal');
};
