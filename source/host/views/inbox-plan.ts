import {waitingPlan} from '../../domain/plan-review.ts';
import {type Trace, titleOrId} from '../../domain/trace.ts';
import {causeKey, type InboxEntry} from './inbox-entry.ts';
import {formatPlanSize} from './plan.ts';

/** The plan that waits for a person; at most one entry. */
export const planEntries = (trace: Trace): readonly InboxEntry[] => {
	const plan = waitingPlan(trace);
	if (plan === undefined) return [];
	const {sequence, agentId, at, tasks} = plan;
	const by = trace.runs.get(agentId)?.bee ?? 'A bee';
	return [
		{
			key: causeKey('plan', trace, '', String(sequence)),
			...{kind: 'plan', category: 'plan'},
			...{traceId: trace.traceId, plan: sequence, agentId, title: titleOrId(trace), since: at},
			sentence: `The plan of ${by} waits for you: ${formatPlanSize(tasks)}.`,
			actions: ['plan.accept', 'plan.edit', 'plan.return', 'kill'],
		},
	];
};
