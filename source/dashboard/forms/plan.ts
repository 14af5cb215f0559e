import {formatCount} from '../../domain/format-count.ts';
import type {Trace} from '../../domain/trace.ts';
import type {PlanView} from '../../host/views/plan.ts';
import {line} from '../parts/line.ts';
import type {Form} from '../store/form.ts';
import {traceTitle} from '../store/names.ts';
import {cancelButton, form, type Opening} from './target.ts';
import {emptyInput} from './text-input.ts';

/** Max tasks in the dialog, so that its buttons stay visible. */
const maxTasks = 6;

export const acceptPlanForm = ({now, traces}: Opening, trace: Trace, {plan, tasks}: PlanView): Form =>
	form(now, {
		title: `Accept the plan of ${traceTitle(traces, trace)}`,
		lines: [
			line(`Starts ${formatCount(tasks.length, 'task')} in their turn.`, 'strong'),
			...tasks.slice(0, maxTasks).map(({title}, index) => line(`  ${index + 1}. ${title}`)),
			...(tasks.length > maxTasks ? [line(`  and ${tasks.length - maxTasks} more`, 'dim')] : []),
			line('Each run costs one honey unit. A task that has started cannot be edited.', 'dim'),
		],
		buttons: [cancelButton, {label: 'y Accept', key: 'y', value: 'accept'}],
		request: {action: 'plan.accept', input: {traceId: trace.traceId, plan}},
	});

export const returnPlanForm = ({now, traces}: Opening, trace: Trace, {plan, bee}: PlanView): Form =>
	form(now, {
		title: `Send back the plan of ${traceTitle(traces, trace)}`,
		lines: [
			line(`${bee} plans again, for one honey unit; its prompt begins with your words.`, 'strong'),
			line('The tasks of this plan are dropped.', 'dim'),
		],
		fields: [
			{
				name: 'body',
				label: 'What should be different:',
				input: emptyInput,
				multiline: true,
				required: 'Say what should be different.',
			},
		],
		buttons: [cancelButton, {label: 'Ctrl+D Send back', value: 'return'}],
		request: {action: 'plan.return', input: {traceId: trace.traceId, plan}},
	});
