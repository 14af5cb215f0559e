import {accepted} from '../../domain/errors.ts';
import {reserveOf} from '../../domain/reserve.ts';
import {readTrace} from '../../host/traces.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';

export const energyShow = command({
	path: 'energy show',
	summary: 'Show the honey reserve of a trace.',
	flags: {trace: traceFlag},
	json: '{v, traceId, energyBudget, energyRemaining}',
	run: async ({trace: traceId}, session) => {
		const context = await session.open();
		const trace = await readTrace(context, traceId);
		if (!trace.ok) return trace;
		const reserve = reserveOf(trace.value, context.colony.defaults.budget);
		const {energyBudget, energyRemaining} = reserve;
		return accepted({
			json: {traceId, ...reserve},
			text: `Honey reserve of ${traceId}: ${energyRemaining} left (budget ${energyBudget})`,
		});
	},
});
