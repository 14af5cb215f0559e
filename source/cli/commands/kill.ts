import {killTrace} from '../../actions/kill-trace.ts';
import {counted} from '../../domain/counted.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const kill = command({
	path: 'kill',
	summary: 'Kill a trace: stop its runs, cancel its unfinished tasks, start nothing more.',
	flags: {
		trace: traceFlag,
		reason: text({summary: 'Why, shown on every cancelled task.', hint: '<text>'}),
	},
	json: '{v, traceId, reason, cancelled, stopped, stopping, already}',
	run: async ({trace, reason}, session) => {
		const killed = await killTrace(await session.open(), {traceId: trace, reason});
		if (!killed.ok) return killed;
		const {cancelled, stopped, stopping, already} = killed.value;
		return accepted({
			json: killed.value,
			text: already
				? `${trace} was killed before.`
				: `Killed ${trace}: ${counted(cancelled.length, 'task')} cancelled, ${counted(stopped.length, 'run')} ${stopping ? 'being stopped' : 'stopped'}.`,
		});
	},
});
