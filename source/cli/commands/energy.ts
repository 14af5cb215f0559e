import {addEnergy, reserveOf} from '../../actions/add-energy.ts';
import {traceNotFound} from '../../actions/decide-and-append.ts';
import {accepted} from '../../domain/errors.ts';
import {isShown} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {command} from '../command.ts';
import {integer} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const energyShow = command({
	path: 'energy show',
	summary: 'Show the honey reserve of a trace.',
	flags: {trace: traceFlag},
	json: '{v, traceId, energyBudget, energyRemaining}',
	run: async ({trace: traceId}, session) => {
		const {bus, colony} = await session.open();
		const trace = await loadTrace(bus, traceId);
		if (!isShown(trace)) return traceNotFound(traceId);
		const {energyBudget, energyRemaining} = reserveOf(trace, colony);
		return accepted({
			json: {traceId, energyBudget, energyRemaining},
			text: `Honey reserve of ${traceId}: ${energyRemaining} left (budget ${energyBudget})`,
		});
	},
});

export const energyAdd = command({
	path: 'energy add',
	summary: 'Top up the honey reserve of a trace.',
	description: 'Tasks that are blocked because the reserve was exhausted return to ready.',
	flags: {
		trace: traceFlag,
		amount: integer({summary: 'Units to add.', hint: '<n>', least: 1, most: 1_000_000, required: true}),
	},
	examples: ['energy add --trace trace-0199… --amount 5'],
	json: '{v, traceId, amount, energyBudget, energyRemaining, resumed}',
	run: async ({trace, amount}, session) => {
		const added = await addEnergy(await session.open(), {traceId: trace, amount});
		if (!added.ok) return added;
		const {energyRemaining, energyBudget, resumed} = added.value;
		const note = resumed.length === 0 ? '' : ` Resumed: ${resumed.join(', ')}.`;
		return accepted({
			json: added.value,
			text: `Added ${amount} honey to ${trace}: ${energyRemaining} left (budget ${energyBudget}).${note}`,
		});
	},
});
