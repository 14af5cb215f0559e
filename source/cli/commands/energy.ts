import {accepted} from '../../domain/errors.ts';
import {reserveOf} from '../../domain/reserve.ts';
import {readTrace} from '../../host/traces.ts';
import {formatHoney, formatSpending} from '../../host/views/format-reserve.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';

export const energyShow = command({
	path: 'energy show',
	summary: 'Show the honey reserve of a trace, and what its runs cost.',
	description:
		'Money and tokens are sums over ended runs whose tools report their usage. "hive inspect usage" lists each run.',
	flags: {trace: traceFlag},
	json: '{v, traceId, energyBudget, energyRemaining, maxCost?, maxTokens?, spent: {cost, tokens}}',
	run: async ({trace: traceId}, commandContext) => {
		const context = await commandContext.open();
		const trace = await readTrace(context, traceId);
		if (!trace.ok) return trace;
		const reserve = reserveOf(trace.value, context.colony.defaults.budget);
		return accepted({
			json: {traceId, ...reserve},
			text: [`Honey reserve of ${traceId}: ${formatHoney(reserve)}`, ...formatSpending(reserve)].join('\n'),
		});
	},
});
