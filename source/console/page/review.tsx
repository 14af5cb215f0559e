import {useState} from 'preact/hooks';
import {formatInjectedWarnings} from '../../domain/injected-warnings.ts';
import {landingWarnings} from '../../domain/landing.ts';
import {formatJudgement} from '../../host/views/format-judgement.ts';
import {Actions, useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {type Comment, Diff} from './diff.tsx';
import {besideEntry, Waiting} from './entry.tsx';
import {useOnce, useView} from './live.ts';
import {linkTo} from './route.ts';
import {Ago, Empty, State, safe, safePath} from './safe.tsx';

const gates = {final: 'merge', required: 'review', commit: 'commit'};

export const Reviews = () => {
	const {value} = useView(pathTo('/api/review-queue'));
	if (value === undefined) return null;
	if (value.items.length === 0) return <Empty>Nothing waits for a review.</Empty>;
	return (
		<ul class="rows">
			{value.items.map(({gate, traceTitle, task, judgement, warnings}) => (
				<li key={`${task.traceId}/${task.taskId}`}>
					<a data-row class="row" href={linkTo('reviews', task.traceId, task.taskId)}>
						<span class="kind">{task.waitsFor === '' ? gates[gate] : task.waitsFor.replace('_', ' ')}</span>
						<span class="grow">
							<b>{safe(gate === 'final' ? traceTitle : task.title)}</b>
							<small>
								{formatJudgement(judgement)} {warnings.length > 0 ? `!${warnings.length} warnings` : ''}
							</small>
						</span>
						<span class="facts">
							<Ago at={task.updatedAt} />
						</span>
					</a>
				</li>
			))}
		</ul>
	);
};

/** A review: the change that would be merged, the arguments for and against it, and the decision. */
export const ReviewPage = ({traceId, taskId}: {traceId: string; taskId: string}) => {
	const names = {traceId, taskId};
	const {colony} = useShared();
	const {value: page, tag, problem} = useView(pathTo('/api/traces/:traceId/tasks/:taskId', names));
	const [reloads, reload] = useState(0);
	const isWaiting = page?.task.status === 'waiting_review';
	const {value: preview, problem: previewProblem} = useOnce(
		pathTo('/api/traces/:traceId/tasks/:taskId/changes', names),
		isWaiting ? `${tag} ${reloads}` : '',
	);
	const {value: queue} = useView(pathTo('/api/review-queue'));
	const [comments, set] = useState<readonly Comment[]>([]);
	if (problem !== undefined) return <Empty>{problem.detail}</Empty>;
	if (page === undefined) return null;
	const {task, traceTitle} = page;
	const review = queue?.items.find(({task: one}) => one.traceId === traceId && one.taskId === taskId);
	const isFinal = task.review === 'final';
	const seen = (id: string): string | undefined =>
		id === 'proposal.approve' && isFinal && preview !== undefined ? `"${preview.tree}"` : tag;
	// A conflicting merge has no tree, so it cannot be approved.
	const offers = besideEntry(task.offers, task.waitsFor).filter(
		id => id !== 'proposal.approve' || !isFinal || preview?.tree,
	);
	return (
		<>
			<header class="head">
				<p>
					<a href={linkTo('traces', traceId)}>{isFinal ? traceId : safe(traceTitle) || traceId}</a> /{' '}
					<a href={linkTo('traces', traceId, taskId)}>{taskId}</a>
				</p>
				<h2>{safe(isFinal ? traceTitle || traceId : task.name)}</h2>
				<p>
					<State of={task.state} />
					{preview === undefined || !isFinal ? null : (
						<>
							{' '}
							<code>{preview.branch}</code> into <code>{preview.base}</code>
						</>
					)}
				</p>
				{task.summary === '' ? null : <p>{safe(task.summary)}</p>}
				{review === undefined ? null : <p class="verdict">{formatJudgement(review.judgement)}</p>}
				{review?.warnings.map(({bee, text}) => (
					<p key={text} class="warn">
						! {bee}: {safe(text)}
					</p>
				))}
				{review?.outside
					.filter(({isRed}) => !isRed)
					.map(({text}) => (
						<p key={text} class="t-dim">
							Outside: {safe(text)}
						</p>
					))}
				<Waiting traceId={traceId} taskId={taskId} />
				{previewProblem === undefined || task.waitsFor !== '' ? null : (
					<p class="problem">{safe(previewProblem.detail)}</p>
				)}
				{(
					[
						['conflicts', 'conflicts with the base'],
						['unsaved', 'is changed and unsaved in the checkout'],
						['notTaken', 'cannot be stored by git'],
					] as const
				).flatMap(([field, words]) =>
					(preview?.[field] ?? []).map(name => (
						<p key={field + name} class="problem">
							{safePath(name)} {words}.
						</p>
					)),
				)}
				{formatInjectedWarnings(preview?.planted ?? []).map(words => (
					<p key={words} class="problem">
						{safe(words)}
					</p>
				))}
				{landingWarnings(preview ?? {}).map(words => (
					<p key={words} class="warn">
						! {safe(words)}
					</p>
				))}
				{comments.map(comment => (
					<p key={`${comment.path}:${comment.line}:${comment.text}`} class="comment">
						<code>
							{safePath(comment.path)}:{comment.line}
						</code>{' '}
						{safe(comment.text)}{' '}
						<button
							type="button"
							class="plain"
							aria-label="Remove the comment"
							onClick={() => set(comments.filter(other => other !== comment))}
						>
							✕
						</button>
					</p>
				))}
				<Actions
					offers={
						isFinal && offers.length > 0
							? [...offers, 'proposal.update', 'energy.add']
							: [...offers, 'energy.add']
					}
					names={names}
					seen={id => (id === 'proposal.update' || id === 'energy.add' ? undefined : seen(id))}
					initially={comments.length === 0 ? {} : {comments, feedback: 'See the comments.'}}
					// The branch, and so the merge, may have changed.
					done={() => reload(reloads + 1)}
					keys="always"
				/>
			</header>
			{preview === undefined || !isWaiting ? null : (
				<>
					<button type="button" onClick={() => reload(reloads + 1)}>
						Look again
					</button>
					{preview.truncated ? <p class="warn">The diff is cut at 1 MiB.</p> : null}
					<Diff
						files={preview.changes}
						add={comment => set([...comments, comment])}
						canComment={colony.caller.scope === 'act'}
					/>
				</>
			)}
		</>
	);
};
