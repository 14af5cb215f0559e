import {accepted} from '../../domain/errors.ts';
import {titleOrId} from '../../domain/trace.ts';
import {readTraces} from '../../host/traces.ts';
import {landingViews} from '../../host/views/landing.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';

export const landingList = command({
	path: 'landing list',
	summary: 'List the approved merges that wait for their checks, in the order in which they land.',
	description:
		'Where "verify" is required, a merge lands once its result has passed. Each branch has a queue of its own.',
	flags: {},
	json: '{v, landing: [{traceId, taskId, position, tree, state: waiting|checking|landing, since}]}',
	run: async (_, commandContext) => {
		const traces = await readTraces(await commandContext.open());
		const byId = new Map(traces.map(trace => [trace.traceId, trace]));
		const landing = landingViews(traces);
		return accepted({
			json: {landing},
			text: async () =>
				landing.length === 0
					? 'Nothing waits to land.'
					: await renderTable(
							['TRACE', 'ON', 'NUMBER', 'STATE', 'SINCE', 'TITLE'].map(title => ({title})),
							landing.map(({traceId, position, state, since}) => {
								const trace = byId.get(traceId);
								return [
									traceId,
									trace?.landing?.base ?? '',
									String(position),
									state,
									localMoment(since),
									trace === undefined ? '' : titleOrId(trace),
								];
							}),
							commandContext.stdout.columns,
						),
		});
	},
});
