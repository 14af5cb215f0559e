import {type Outcome, refusalOf, refuse} from '../domain/errors.ts';

/** What the work answers; a fault of it is a refusal like others: the dashboard goes on. */
export const outcomeOf = async <Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
	try {
		return await work();
	} catch (error) {
		const refusal = refusalOf(error);
		return refusal === undefined ? refuse('internal') : {ok: false, refusal};
	}
};
