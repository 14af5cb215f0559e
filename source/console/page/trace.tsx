import type {Answers} from '../answers.ts';
import {Actions} from './actions.tsx';
import {pathTo} from './api.ts';
import {useTitle} from './attention.ts';
import {besideEntry, Waiting} from './entry.tsx';
import {Graph} from './graph.tsx';
import {Landing} from './landing.tsx';
import {Events} from './lists.tsx';
import {useView} from './live.ts';
import {Markdown} from './markdown.tsx';
import {Parts} from './parts.tsx';
import {Plan, planOffers} from './plan.tsx';
import {Progress} from './progress.tsx';
import {linkTo} from './route.ts';
import {Runs} from './runs.tsx';
import {Empty, Gone, Honey, Into, Reading, State, safe} from './safe.tsx';
import {SheetView, useSheet} from './sheet.tsx';

const maxNodes = 400;

/** One trace: its state, its tasks as a graph and as a list, and its events. */
export const Trace = ({traceId}: {traceId: string}) => {
	const {value: trace, tag, problem} = useView(pathTo('/api/traces/:traceId', {traceId}));
	useTitle(trace?.name ?? '');
	const reviews = (trace?.tasks ?? []).filter(isForReview);
	const isShown = reviews.length > 0 || (trace !== undefined && trace.landing.queued !== null);
	const {sheet, isComplete} = useSheet({traceId}, tag, isShown);
	if (problem !== undefined) return <Gone problem={problem} />;
	if (trace === undefined) return <Reading />;
	const titleOf = (taskId: string): string => trace.tasks.find(task => task.taskId === taskId)?.name ?? '';
	const running = trace.runs.filter(({status}) => status === 'running');
	const shown = trace.tasks.slice(0, maxNodes);
	const needed = new Set(shown.flatMap(({dependsOn}) => dependsOn));
	const last = shown.filter(({taskId, review}) => review !== 'final' && !needed.has(taskId));
	const nodes = shown.map(({taskId, name, state, dependsOn, review}) => ({
		// A final gate depends on all other tasks.
		...{id: taskId, label: name, state, after: review === 'final' ? last.map(one => one.taskId) : dependsOn},
		href: linkTo('traces', traceId, taskId),
	}));
	return (
		<>
			<header class="head">
				<h2>{safe(trace.name)}</h2>
				<p>
					<State of={trace.state} />{' '}
					<Honey left={trace.energyRemaining} budget={trace.energyBudget} low={trace.lowEnergy} />{' '}
					{trace.work.done}/{trace.work.total} done <Into base={trace.base} /> <code>{traceId}</code>
				</p>
				{trace.note === '' ? null : <p class="note">{safe(trace.note)}</p>}
				{trace.summary === '' ? null : <Markdown text={trace.summary} />}
				<Landing traceId={traceId} landing={trace.landing} />
				<Waiting traceId={traceId} />
				{reviews.length === 0 ? null : (
					<p class="actions">
						{reviews.map(({taskId, name, review}) => (
							<a key={taskId} class="button act" href={linkTo('reviews', traceId, taskId)}>
								Review {review === 'final' ? '' : safe(name)}
							</a>
						))}
					</p>
				)}
				<Actions
					offers={trace.offers.filter(id => !planOffers.includes(id))}
					names={{traceId}}
					keys="always"
				/>
			</header>
			{trace.isPlanWaiting ? <Plan traceId={traceId} /> : null}
			{!isShown && (trace.activeCount > 0 || trace.isPlanWaiting) ? null : (
				<SheetView sheet={sheet} isComplete={isComplete} />
			)}
			{running.map(({agentId}) => (
				<Progress key={agentId} traceId={traceId} agentId={agentId} isLive />
			))}
			{nodes.length === 0 ? (
				<Empty>The trace has no tasks yet.</Empty>
			) : (
				<Graph nodes={nodes} title={`Tasks of ${trace.name}, each behind what it needs`} />
			)}
			<ul class="rows">
				{trace.tasks.map(task => (
					<li key={task.taskId}>
						<a data-row class="row" href={linkTo('traces', traceId, task.taskId)}>
							<State of={task.state} />
							<span class="grow">
								<b>{safe(task.name)}</b>
								{task.summary === '' && task.problem === undefined ? null : (
									<small>{safe(task.problem ?? task.summary.split('\n')[0] ?? '')}</small>
								)}
							</span>
							<span class="facts">{task.bee}</span>
						</a>
					</li>
				))}
			</ul>
			<h3>Runs</h3>
			<Runs runs={trace.runs.map(run => ({...run, traceId, title: titleOf(run.taskId)}))} />
			<h3>What happened</h3>
			<Events traceId={traceId} />
		</>
	);
};

/**
 * A question, or work without a change, is answered where it is shown, not in a review. What is landing is
 * decided.
 */
const isForReview = ({status, waitsFor, state}: Answers['/api/traces/:traceId']['tasks'][number]): boolean =>
	status === 'waiting_review' && waitsFor === '' && state !== 'landing';

/** Actions on what is shown in the review, so they are offered there alone. */
const ofReview: readonly string[] = ['proposal.approve', 'landing.retry'];

/** One task with all its details. */
export const Task = ({traceId, taskId}: {traceId: string; taskId: string}) => {
	const names = {traceId, taskId};
	const {value, tag, problem} = useView(
		pathTo('/api/traces/:traceId/tasks/:taskId', names, {recorded: 'only'}),
	);
	useTitle(value?.task.name ?? '');
	const {value: detail} = useView(pathTo('/api/traces/:traceId/tasks/:taskId/detail', names));
	if (problem !== undefined) return <Gone problem={problem} />;
	if (value === undefined) return <Reading />;
	const running = value.runs.filter(({status}) => status === 'running');
	const {task, traceTitle, runs} = value;
	return (
		<>
			<header class="head">
				<p>
					<a href={linkTo('traces', traceId)}>{safe(traceTitle) || traceId}</a>
				</p>
				<h2>{safe(task.name)}</h2>
				<p>
					<State of={task.state} /> {task.bee} <code>{taskId}</code>
				</p>
				{task.review === 'final' ? <Landing traceId={traceId} landing={value.landing} /> : null}
				<Waiting traceId={traceId} taskId={taskId} />
				{task.status === 'waiting_review' && hasReview(value) ? (
					<a class="button act" href={linkTo('reviews', traceId, taskId)}>
						{task.state === 'landing' ? 'What lands' : 'Review'}
					</a>
				) : null}
				<Actions
					offers={besideEntry(task.offers, task.waitsFor).filter(id => !ofReview.includes(id))}
					names={names}
					seen={() => tag}
					keys="always"
				/>
			</header>
			{running.map(({agentId}) => (
				<Progress key={agentId} traceId={traceId} agentId={agentId} isLive />
			))}
			<Parts sections={detail?.sections ?? []} />
			<h3>Runs</h3>
			<Runs runs={runs.map(run => ({...run, traceId, title: ''}))} />
		</>
	);
};

/**
 * A question, or work without a change, is answered on the task's page. It has a diff only if it was proposed
 * before.
 */
const hasReview = ({task, decision}: Answers['/api/traces/:traceId/tasks/:taskId']): boolean =>
	task.waitsFor === '' || decision.proposal !== undefined;
