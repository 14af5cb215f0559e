import {editPlanText} from '../../host/plan-text.ts';
import type {PlanView} from '../../host/views/plan.ts';
import {acceptPlanForm, returnPlanForm} from '../forms/plan.ts';
import {outcomeOf} from '../outcome-of.ts';
import {withTitles} from '../store/names.ts';
import {showToast} from '../store/notice-changes.ts';
import {waitingPlanOf} from '../store/plan.ts';
import {subjectOf} from '../store/selectors.ts';
import type {HandleContext, Handler} from './context.ts';
import {openForm, opening} from './open-form.ts';

/** Opens a dialog about the waiting plan of the selected trace, if there is one. */
const aboutPlan =
	(make: typeof acceptPlanForm): Handler =>
	context => {
		const {trace} = subjectOf(context.store.getState());
		const plan = trace && waitingPlanOf(trace);
		if (trace && plan) openForm(context, make(opening(context), trace, plan));
	};

export const acceptPlan = aboutPlan(acceptPlanForm);
export const returnPlan = aboutPlan(returnPlanForm);

/** Lends the terminal to the person's editor with the plan, then submits what they saved. */
export const editPlan: Handler = context => {
	const {trace} = subjectOf(context.store.getState());
	const plan = trace && waitingPlanOf(trace);
	if (plan) void edit(context, plan);
};

const edit = async (context: HandleContext, plan: PlanView): Promise<void> => {
	const {store, world, suspendUi} = context;
	const {traceId} = plan;
	const done = await outcomeOf(world, () =>
		editPlanText(plan, {
			edit: (text, name) => suspendUi(() => world.edit(text, name)),
			submit: tasks => world.act('plan.edit', {traceId, plan: plan.plan, tasks}),
		}),
	);
	const say = (words: string): string => withTitles(words, store.getState().traces, {traceId});
	if (!done.ok) {
		const [problem] = done.refusal.details;
		const why = problem === undefined ? done.refusal.hint : `${problem.path}: ${problem.message}`;
		return store.dispatch(showToast(say(`${done.refusal.message} ${why}`), 'bad'));
	}
	store.dispatch(
		done.value === undefined
			? showToast('You changed nothing. The plan waits as it was.', 'info')
			: showToast(say(done.value.said), 'good'),
	);
};
