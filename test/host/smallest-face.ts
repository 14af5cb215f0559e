import type {Outcome} from '../../source/domain/errors.ts';
import {titleOf} from '../../source/domain/trace.ts';
import {actionTable} from '../../source/host/actions/table.ts';
import type {Host} from '../../source/host/host.ts';
import {readTraces} from '../../source/host/traces.ts';

/** A complete face without files of other faces: lists traces, and approves a waiting task in one of them. */
export const smallestFace = (host: Host) => ({
	list: async (): Promise<readonly string[]> =>
		(await readTraces(await host.open())).map(trace => {
			const waiting = [...trace.tasks.values()].filter(({status}) => status === 'waiting_review');
			return `${titleOf(trace)}: ${waiting.map(({taskId}) => taskId).join(', ') || 'nothing waits'}`;
		}),
	approve: async (title: string): Promise<Outcome<readonly string[]>> => {
		const colony = await host.open();
		const trace = (await readTraces(colony)).find(found => titleOf(found) === title);
		const task = [...(trace?.tasks.values() ?? [])].find(({status}) => status === 'waiting_review');
		const {run} = actionTable['proposal.approve'];
		const done = await run(colony, {traceId: trace?.traceId, taskId: task?.taskId});
		return done.ok ? {ok: true, value: done.value.sentences} : done;
	},
});
