import {type Outcome, refusalOf, refuse} from '../domain/errors.ts';
import type {DashboardServices} from './world.ts';

/**
 * The outcome of the work. An error becomes a refusal, so that the dashboard goes on. An unknown error is
 * reported.
 */
export const outcomeOf = async <Value>(
	{faults}: Pick<DashboardServices, 'faults'>,
	work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> => {
	try {
		return await work();
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal !== undefined) return {ok: false, refusal};
		const file = faults.report(error);
		return refuse('internal', file === undefined ? {} : {hint: `${file} has the details.`});
	}
};
