import {planFacts, planNumbers} from '../../host/views/plan-lines.ts';
import {Actions, useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {useView} from './live.ts';
import {Markdown} from './markdown.tsx';
import {PlanForm} from './plan-form.tsx';
import {safe} from './safe.tsx';

/** A plan that waits, with what a person can do about it. */
export const Plan = ({traceId}: {traceId: string}) => {
	const {value} = useView(pathTo('/api/traces/:traceId/plan', {traceId}));
	const {colony} = useShared();
	const plan = value?.plan;
	if (plan === undefined || plan === null) return null;
	const {tasks, bee, request} = plan;
	const numbers = planNumbers(tasks);
	return (
		<section class="sheet plan" aria-label={`The plan of ${bee}`}>
			<div class="block">
				<h3>You asked</h3>
				<div>
					<b>{safe(request.title)}</b>
					{request.body === '' ? null : <Markdown text={request.body} />}
				</div>
			</div>
			<div class="block">
				<h3>Plan of {safe(bee)}</h3>
				<ol>
					{tasks.map(task => (
						<li key={task.taskId}>
							<b>{safe(task.title)}</b> <span class="facts">{planFacts(task, numbers)}</span>
							{task.body === undefined ? null : <Markdown text={task.body} />}
						</li>
					))}
				</ol>
			</div>
			{colony.caller.scope === 'act' ? (
				<div class="block">
					<h3>Decide</h3>
					<Actions
						offers={planOffers}
						names={{traceId}}
						initially={{plan: plan.plan}}
						dialogOf={(id, close) =>
							id === 'plan.edit' ? <PlanForm plan={plan} close={close} /> : undefined
						}
						keys="always"
					/>
				</div>
			) : null}
		</section>
	);
};

/** Actions on a plan, in the order of their buttons. */
export const planOffers: readonly string[] = ['plan.accept', 'plan.edit', 'plan.return'];
