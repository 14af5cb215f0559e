import {accepted} from '../../domain/errors.ts';
import {readTraces} from '../../host/traces.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {taskJson} from '../snapshot-json.ts';

export const proposalList = command({
	path: 'proposal list',
	summary: 'List what waits for a review, in every trace.',
	flags: {},
	json: '{v, proposals: [task snapshot…]}',
	run: async (_, session) => {
		const waiting = (await readTraces(await session.open())).flatMap(({traceId, tasks}) =>
			[...tasks.values()].filter(({status}) => status === 'waiting_review').map(task => ({traceId, task})),
		);
		const rows = waiting.map(({traceId, task}) => [
			traceId,
			task.taskId,
			task.review === 'none' ? 'commit gate' : task.review,
			task.proposalWorkspace ?? '-',
			task.summary,
		]);
		return accepted({
			json: {proposals: waiting.map(({traceId, task}) => taskJson(traceId, task))},
			text: async () =>
				rows.length === 0
					? 'Nothing waits for a review.'
					: [
							...(await renderTable(
								['TRACE', 'TASK', 'REVIEW', 'WORKSPACE', 'SUMMARY'].map(title => ({title})),
								rows,
								session.stdout.columns,
							)),
							'\nLook with "hive proposal diff", then "hive proposal approve" or "reject".',
						],
		});
	},
});
