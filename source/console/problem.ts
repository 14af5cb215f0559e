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

/** What went wrong inside hive is said by its code alone, unless it is a refusal on its way through. */
export const refusedFor = (error: unknown): Refused => {
	const refusal = refusalOf(error);
	return refusal === undefined ? refuse('internal') : {ok: false, refusal};
};
