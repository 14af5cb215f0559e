import {useState} from 'preact/hooks';
import {reviews} from '../../domain/task.ts';
import type {PlanItemView, PlanView} from '../../host/views/plan.ts';
import {useShared} from './actions.tsx';
import {fillPath, type Problem, post} from './api.ts';
import {Dialog, useTyped} from './dialog.tsx';
import {useDraft} from './drafts.ts';
import {refresh} from './live.ts';
import {safe} from './safe.tsx';
import {showMessage} from './status-message.tsx';

type Props = {plan: PlanView; close: () => void};

/** Edits the tasks of a plan that waits: their order, texts, bees, reviews and needs. */
export const PlanForm = ({plan, close}: Props) => (
	<Dialog title="Edit the plan" close={close}>
		<Tasks plan={plan} close={close} />
	</Dialog>
);

const Tasks = ({plan: {traceId, plan, tasks: initially}, close}: Props) => {
	const {actions} = useShared();
	const [tasks, type] = useDraft(`plan.edit ${traceId}/${plan}`, initially);
	useTyped(tasks === initially ? undefined : () => type(undefined));
	const [problem, refuse] = useState<Problem>();
	const [isBusy, busy] = useState(false);
	const change = (index: number, next: PlanItemView): void =>
		type(tasks.map((task, at) => (at === index ? next : task)));
	const move = (index: number, step: number): void => {
		const moved = [...tasks];
		moved.splice(index + step, 0, ...moved.splice(index, 1));
		type(moved);
	};
	const save = async (event: SubmitEvent): Promise<void> => {
		event.preventDefault();
		busy(true);
		const answer = await post(fillPath(actions.get('plan.edit')?.path ?? '', {traceId}), {plan, tasks});
		busy(false);
		if (!answer.ok) return refuse(answer.problem);
		type(undefined);
		showMessage(answer.value.message);
		refresh();
		close();
	};
	return (
		<form class="plan-form" onSubmit={event => void save(event)}>
			<ol>
				{tasks.map((task, index) => (
					<li key={task.taskId}>
						<TaskFields
							task={task}
							others={tasks.filter(other => other !== task)}
							set={next => change(index, next)}
						/>
						<div class="actions">
							<button type="button" disabled={index === 0} onClick={() => move(index, -1)}>
								Move up
							</button>
							<button type="button" disabled={index === tasks.length - 1} onClick={() => move(index, 1)}>
								Move down
							</button>
							<button
								type="button"
								class="away"
								disabled={tasks.length === 1}
								onClick={() => type(without(tasks, task.taskId))}
							>
								Remove
							</button>
						</div>
					</li>
				))}
			</ol>
			<button type="button" onClick={() => type([...tasks, {taskId: freeId(tasks), title: ''}])}>
				Add a task
			</button>
			{problem === undefined ? null : <Refused problem={problem} tasks={tasks} />}
			<div class="actions">
				<button type="submit" class="act" disabled={isBusy}>
					Save the plan
				</button>
			</div>
		</form>
	);
};

/** Takes a task out, also from the needs of the others. */
const without = (tasks: readonly PlanItemView[], taskId: string): readonly PlanItemView[] =>
	tasks
		.filter(task => task.taskId !== taskId)
		.map(task =>
			task.dependsOn?.includes(taskId)
				? {...task, dependsOn: task.dependsOn.filter(need => need !== taskId)}
				: task,
		);

const freeId = (tasks: readonly PlanItemView[]): string => {
	const taken = new Set(tasks.map(({taskId}) => taskId));
	let number = tasks.length + 1;
	while (taken.has(`task-${number}`)) number += 1;
	return `task-${number}`;
};

const reviewLabels = {none: 'no review', required: 'I review it', final: 'a gate: I merge there'} as const;

const TaskFields = ({
	task,
	others,
	set,
}: {
	task: PlanItemView;
	others: readonly PlanItemView[];
	set: (task: PlanItemView) => void;
}) => {
	const {colony} = useShared();
	const {title, body = '', bee = '', review = 'none', dependsOn = []} = task;
	return (
		<>
			<label>
				<span>
					<b>Title</b>
				</span>
				<input
					type="text"
					required
					value={title}
					onInput={event => set({...task, title: event.currentTarget.value})}
				/>
			</label>
			<label>
				<span>
					<b>What is to be done</b>
				</span>
				<textarea rows={3} value={body} onInput={event => set({...task, body: event.currentTarget.value})} />
			</label>
			<label>
				<span>
					<b>Bee</b>
				</span>
				<select onChange={event => set({...task, bee: event.currentTarget.value})}>
					<option value="">the usual one</option>
					{[...new Set([...colony.bees.map(({name}) => name), bee])].filter(Boolean).map(name => (
						<option key={name} value={name} selected={name === bee}>
							{safe(name)}
						</option>
					))}
				</select>
			</label>
			<label>
				<span>
					<b>Review</b>
				</span>
				<select onChange={event => set({...task, review: event.currentTarget.value as typeof review})}>
					{reviews.map(one => (
						<option key={one} value={one} selected={one === review}>
							{reviewLabels[one]}
						</option>
					))}
				</select>
			</label>
			{others.length === 0 ? null : (
				<fieldset class="needs">
					<legend>Begins after</legend>
					{others.map(({taskId, title: name}) => (
						<label key={taskId} class="tick">
							<input
								type="checkbox"
								checked={dependsOn.includes(taskId)}
								onChange={({currentTarget: {checked}}) =>
									set({
										...task,
										dependsOn: checked ? [...dependsOn, taskId] : dependsOn.filter(need => need !== taskId),
									})
								}
							/>
							<span>{safe(name) || 'a task without a title'}</span>
						</label>
					))}
				</fieldset>
			)}
		</>
	);
};

/** Every problem, with the title of its task. */
const Refused = ({problem, tasks}: {problem: Problem; tasks: readonly PlanItemView[]}) => (
	<div class="problem" role="alert">
		<p>
			{safe(problem.detail)} {safe(problem.hint)}
		</p>
		<ul>
			{(problem.errors ?? []).map(({path, message}) => (
				<li key={path + message}>
					{safe(tasks[Number(/^tasks\.(\d+)/.exec(path)?.[1])]?.title ?? '')} {safe(message)}
				</li>
			))}
		</ul>
	</div>
);
