import {topUps} from '../../domain/reserve.ts';
import type {Answers, Run} from '../answers.ts';
import {Actions, useShared} from './actions.tsx';
import {pathTo, post} from './api.ts';
import {useTitle} from './attention.ts';
import {besideEntry, Waiting} from './entry.tsx';
import {Graph} from './graph.tsx';
import {Landing} from './landing.tsx';
import {Events} from './lists.tsx';
import {refresh, useView} from './live.ts';
import {Markdown} from './markdown.tsx';
import {Parts} from './parts.tsx';
import {linkTo} from './route.ts';
import {Ago, Empty, Gone, Honey, State, safe, stateOfRun} from './safe.tsx';
import {SheetView, useSheet} from './sheet.tsx';
import {showMessage} from './status-message.tsx';

const maxNodes = 400;

/** One trace: its state, its tasks as a graph and as a list, and its events. */
export const Trace = ({traceId}: {traceId: string}) => {
	const {value: trace, tag, problem} = useView(pathTo('/api/traces/:traceId', {traceId}));
	useTitle(trace?.name ?? '');
	const reviews = (trace?.tasks ?? []).filter(isForReview);
	const isShown = reviews.length > 0 || (trace !== undefined && trace.landing.queued !== null);
	const {sheet, isComplete} = useSheet({traceId}, tag, isShown);
	if (problem !== undefined) return <Gone problem={problem} />;
	if (trace === undefined) return null;
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
					{trace.work.done}/{trace.work.total} done <code>{traceId}</code>
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
				<TopUp traceId={traceId} offers={trace.offers} />
				<Actions offers={trace.offers} names={{traceId}} keys="always" />
			</header>
			{!isShown && trace.activeCount > 0 ? null : <SheetView sheet={sheet} isComplete={isComplete} />}
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
			<Runs runs={trace.runs.map(run => ({...run, traceId}))} />
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

const TopUp = ({traceId, offers}: {traceId: string; offers: readonly string[]}) =>
	offers.includes('energy.add') ? (
		<div class="amounts" role="group" aria-label="Add honey">
			{topUps.honey.map(amount => (
				<AddHoney key={amount} traceId={traceId} amount={amount} />
			))}
		</div>
	) : null;

const AddHoney = ({traceId, amount}: {traceId: string; amount: number}) => {
	const {colony} = useShared();
	const addHoney = async (): Promise<void> => {
		const answer = await post(`/api/traces/${encodeURIComponent(traceId)}/energy/add`, {amount});
		showMessage(answer.ok ? answer.value.message : answer.problem.detail);
		refresh();
	};
	return colony.caller.scope === 'act' ? (
		<button type="button" onClick={() => void addHoney()}>
			+{amount} honey
		</button>
	) : null;
};

const Runs = ({runs}: {runs: readonly Run[]}) =>
	runs.length === 0 ? (
		<Empty>No bee has run.</Empty>
	) : (
		<ul class="rows">
			{runs.toReversed().map(run => (
				<li key={run.agentId}>
					<a data-row class="row" href={linkTo('runs', run.traceId, run.agentId)}>
						<State of={stateOfRun(run)} />
						<span class="grow">
							<b>{run.bee}</b> {run.taskId}{' '}
							{run.warnings.length > 0 ? <span class="warn">!{run.warnings.length} warnings</span> : null}
						</span>
						<span class="facts">
							<Ago at={run.startedAt} />
						</span>
					</a>
				</li>
			))}
		</ul>
	);

/** Actions on what is shown in the review, so they are offered there alone. */
const ofReview: readonly string[] = ['proposal.approve', 'landing.retry'];

/** One task with all its details. */
export const Task = ({traceId, taskId}: {traceId: string; taskId: string}) => {
	const names = {traceId, taskId};
	const {value, tag, problem} = useView(pathTo('/api/traces/:traceId/tasks/:taskId', names));
	useTitle(value?.task.name ?? '');
	const {value: detail} = useView(pathTo('/api/traces/:traceId/tasks/:taskId/detail', names));
	if (problem !== undefined) return <Gone problem={problem} />;
	if (value === undefined) return null;
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
			<Parts sections={detail?.sections ?? []} />
			<h3>Runs</h3>
			<Runs runs={runs.map(run => ({...run, traceId}))} />
		</>
	);
};

/**
 * A question, or work without a change, is answered on the task's page. It has a diff only if it was proposed
 * before.
 */
const hasReview = ({task, decision}: Answers['/api/traces/:traceId/tasks/:taskId']): boolean =>
	task.waitsFor === '' || decision.proposal !== undefined;

export const AllRuns = () => {
	const {value} = useView(pathTo('/api/runs', {}, {limit: '100'}));
	return value === undefined ? null : <Runs runs={value.items.toReversed()} />;
};
