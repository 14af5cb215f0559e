import {type Frozen, freezeTrace} from '../../actions/freeze-trace.ts';
import {counted} from '../../domain/counted.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';

export const freeze = command({
	path: 'freeze',
	summary: 'Freeze the live runs of a trace where they are, with everything they started.',
	description:
		'Their processes stop using the processor and keep their memory until "hive thaw" or "hive kill". A time-out goes on: a run that is frozen past it is ended. Runs that start later are not frozen. It works without a reactor.',
	flags: {trace: traceFlag},
	json: '{v, traceId, runs: [{agentId, bee, processes}…]}',
	run: async ({trace}, session) => {
		const frozen = await freezeTrace(await session.open(), {traceId: trace, how: 'freeze'});
		if (!frozen.ok) return frozen;
		const {runs} = frozen.value;
		return accepted({
			json: frozen.value,
			text:
				runs.length === 0
					? `No run of ${trace} is open.`
					: `Froze ${whatOf(frozen.value)}. Time-outs count on; wake them with "hive thaw --trace ${trace}".`,
		});
	},
});

export const whatOf = ({traceId, runs}: Frozen): string => {
	const processes = runs.reduce((sum, run) => sum + run.processes, 0);
	return `${counted(runs.length, 'run')} of ${traceId} (${processes} ${processes === 1 ? 'process' : 'processes'})`;
};
