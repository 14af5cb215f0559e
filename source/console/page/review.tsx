import {useMemo, useState} from 'preact/hooks';
import {formatJudgement} from '../../host/views/format-judgement.ts';
import {Actions, useShared} from './actions.tsx';
import {pathTo} from './api.ts';
import {ApproveDialog, RejectDialog} from './approve.tsx';
import {useTitle} from './attention.ts';
import {Diff} from './diff.tsx';
import {useDraft} from './drafts.ts';
import {besideEntry, Waiting} from './entry.tsx';
import {Landing} from './landing.tsx';
import {type Comment, CommentView} from './line-comments.tsx';
import {useOnce, useView} from './live.ts';
import {useMarks} from './marks.ts';
import {linkTo} from './route.ts';
import {Ago, Empty, Gone, Reading, State, safe} from './safe.tsx';
import {SheetView, useSheet} from './sheet.tsx';

const gates = {final: 'merge', required: 'review', commit: 'commit'};

export const Reviews = () => {
	const {value} = useView(pathTo('/api/review-queue'));
	if (value === undefined) return <Reading />;
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

/** The actions that merge exactly what is shown, at once or once its checks have passed. */
const mergers: readonly string[] = ['proposal.approve', 'landing.retry'];

const noComments: readonly Comment[] = [];
const noMarks: readonly string[] = [];

/** A review: the sheet that a person decides from, the change that would be merged, and the decision. */
export const ReviewPage = ({traceId, taskId}: {traceId: string; taskId: string}) => {
	const names = {traceId, taskId};
	const {colony} = useShared();
	const {
		value: page,
		tag,
		problem,
	} = useView(pathTo('/api/traces/:traceId/tasks/:taskId', names, {recorded: 'only'}));
	const [reloads, reload] = useState(0);
	const again = (): void => reload(reloads + 1);
	const isWaiting = page?.task.status === 'waiting_review';
	// The tag also changes with the newest commit of the base.
	const version = page === undefined ? '' : `${tag} ${reloads}`;
	const {sheet, isComplete} = useSheet(names, version);
	const {
		value: preview,
		problem: previewProblem,
		isOld,
	} = useOnce(pathTo('/api/traces/:traceId/tasks/:taskId/changes', names), isWaiting ? version : '');
	useTitle(page === undefined ? '' : `Review of ${page.traceTitle || page.task.name}`);
	const [hasFailed, fail] = useState(false);
	const draft = `${traceId}/${taskId}`;
	const [comments, setComments] = useDraft(`comments ${draft}`, noComments);
	const remove = (comment: Comment): void => setComments(comments.filter(other => other !== comment));
	const marks = useMarks(preview?.reviewed ?? noMarks);
	const canMark = colony.caller.scope === 'act';
	const canComment = colony.caller.scope === 'act' && isWaiting && page?.task.waitsFor === '';
	const diff = useMemo(
		() =>
			preview === undefined ? null : (
				<Diff
					files={preview.changes}
					{...(preview.work !== '' && {
						asks: {traceId, taskId, fork: preview.fork, work: preview.work},
					})}
					{...(canMark && {marks})}
					{...(canComment && {
						commenting: {draft, comments, add: comment => setComments([...comments, comment]), remove},
					})}
				/>
			),
		[preview, comments, canComment, marks, canMark, traceId, taskId],
	);
	if (problem !== undefined) return <Gone problem={problem} />;
	if (page === undefined) return <Reading />;
	const {task, traceTitle, landing} = page;
	const isFinal = task.review === 'final';
	const isLanding = task.state === 'landing';
	const title = isFinal ? traceTitle || traceId : task.name;
	const seen = (id: string): string | undefined => {
		// It is of the trace, so it has no precondition about the task.
		if (id === 'forge.send') return undefined;
		return mergers.includes(id) && isFinal && preview !== undefined ? `"${preview.tree}"` : tag;
	};
	const isReading = isFinal && (preview === undefined || isOld);
	const isBack = hasFailed || landing.left?.check != null;
	const isOffered = (id: string): boolean => {
		if (id === 'landing.retry' && (!isBack || isReading)) return false;
		// What is landing is approved. A conflicting merge has no tree, so it cannot be approved.
		return (
			!mergers.includes(id) || !isFinal || (!isLanding && (preview === undefined || preview.tree !== ''))
		);
	};
	const offers = [
		...(isLanding ? ['landing.cancel'] : []),
		...(page.pullRequest?.taskId === taskId && page.pullRequest.says !== '' ? ['forge.send'] : []),
		...besideEntry(task.offers, task.waitsFor).filter(isOffered),
	];
	// The branch, and so the merge, may have changed.
	const parts = {names, sheet, title, done: again};
	const dialogOf = (id: string, close: () => void) => {
		if (id === 'proposal.approve')
			return (
				<ApproveDialog
					{...parts}
					seen={seen(id)}
					close={close}
					isFinal={isFinal}
					landing={landing}
					failed={() => fail(true)}
					isGuarded={/guard|verif/.test(task.state)}
				/>
			);
		if (id !== 'proposal.reject') return undefined;
		const done = (): void => {
			setComments(undefined);
			again();
		};
		return (
			<RejectDialog
				{...parts}
				done={done}
				seen={seen(id)}
				close={close}
				comments={comments}
				isFinal={isFinal}
			/>
		);
	};
	return (
		<>
			<header class="head">
				<p>
					<a href={linkTo('reviews')}>Reviews</a> /{' '}
					<a href={linkTo('traces', traceId)}>{isFinal ? 'the trace' : safe(traceTitle) || traceId}</a>
					{isFinal ? null : (
						<>
							{' / '}
							<a href={linkTo('traces', traceId, taskId)}>the task</a>
						</>
					)}
				</p>
				<h2>{safe(title)}</h2>
				<p>
					<State of={task.state} />
				</p>
				{isFinal ? <Landing traceId={traceId} landing={landing} /> : null}
				<Waiting traceId={traceId} taskId={taskId} />
				{previewProblem === undefined || task.waitsFor !== '' ? null : (
					<p class="problem">{safe(previewProblem.detail)}</p>
				)}
			</header>
			<SheetView sheet={sheet} isComplete={isComplete} />
			{comments.length === 0 ? null : (
				<section aria-label="Your comments">
					<h3>Your comments, sent when you reject</h3>
					{comments.map(comment => (
						<CommentView
							key={`${comment.path}:${comment.line}:${comment.text}`}
							comment={comment}
							remove={remove}
						/>
					))}
				</section>
			)}
			<div class="row-of-parts">
				<Actions
					offers={isFinal && offers.length > 0 ? ['proposal.update', 'energy.add'] : ['energy.add']}
					names={names}
					done={again}
					keys="always"
				/>
				{isWaiting ? (
					<button type="button" onClick={again}>
						Look again
					</button>
				) : null}
			</div>
			{preview?.truncated ? <p class="warn">The diff is cut at 1 MiB.</p> : null}
			{isWaiting ? diff : null}
			{/* It stays without offers too, since a dialog may be open in it. */}
			<div class={offers.length === 0 ? '' : 'decide'}>
				<Actions
					offers={offers}
					names={names}
					seen={seen}
					done={again}
					dialogOf={dialogOf}
					disabled={isReading ? 'proposal.approve' : ''}
					keys="always"
				/>
				{comments.length === 0 || offers.length === 0 ? null : (
					<span class="facts">{comments.length === 1 ? '1 comment' : `${comments.length} comments`}</span>
				)}
			</div>
		</>
	);
};
