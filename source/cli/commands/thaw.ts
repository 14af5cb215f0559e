import {freezeTrace} from '../../actions/freeze-trace.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';
import {whatOf} from './freeze.ts';

export const thaw = command({
	path: 'thaw',
	summary: 'Let the frozen runs of a trace go on.',
	flags: {trace: traceFlag},
	json: '{v, traceId, runs: [{agentId, bee, processes}…]}',
	run: async ({trace}, session) => {
		const thawed = await freezeTrace(await session.open(), {traceId: trace, how: 'thaw'});
		if (!thawed.ok) return thawed;
		return accepted({
			json: thawed.value,
			text:
				thawed.value.runs.length === 0 ? `No run of ${trace} is open.` : `Thawed ${whatOf(thawed.value)}.`,
		});
	},
});
