import {completionEvent} from '../actions/approval.ts';
import {clearWorktree} from '../actions/finish-merge.ts';
import {holdRecordedBase} from '../actions/hold-base.ts';
import {actorOf} from '../actions/land-trace.ts';
import {withMergeLock} from '../actions/merge-lock.ts';
import {publishForOthers} from '../actions/publish-for-others.ts';
import {accepted, formatRefusal, type Outcome, refuse} from '../domain/errors.ts';
import type {PullRequest} from '../domain/pull-request.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {ForgeError} from '../ports/forge.ts';
import {readBase} from '../workspaces/merge/base.ts';
import {followUpstream} from '../workspaces/merge/follow-upstream.ts';
import {recordForgeMerge} from '../workspaces/merge/landed-work.ts';
import {fetchBranch} from '../workspaces/merge/publish-branch.ts';
import {isAncestor} from '../workspaces/trees/objects.ts';
import {appendAbout, type ForgeContext} from './context.ts';

const lockTimeoutMs = 60_000;

/**
 * Completes the review of a request that was merged at its forge: fetches the base, which has to contain the
 * merge, and moves the base here along if nothing is in the way. Then removes the worktree. The event that
 * completes the review comes last, so every step may be repeated.
 */
export const finishRequest = async (
	ports: ForgeContext,
	trace: Trace,
	request: PullRequest,
): Promise<void> => {
	const finished = await finish(ports, trace, request);
	if (finished.ok) return;
	const {code} = finished.refusal;
	const reason = formatRefusal(finished.refusal);
	if (code === 'not_published' && request.reason !== reason)
		await appendAbout(ports, trace.traceId, `${request.mergedAs}/left/${trace.sequence}`, {
			...{kind: 'pull_request.left', taskId: request.taskId, reason},
		});
	throw new ForgeError(code === 'merge_open' ? 'conflict' : 'unreachable', reason);
};

const finish = async (
	ports: ForgeContext,
	trace: Trace,
	{taskId, base: branch, mergedAs: commit = '', commit: work = '', number = 0, by}: PullRequest,
): Promise<Outcome<void>> => {
	const {context, remote} = ports;
	const {git, colony, failpoint, bus} = context;
	const {traceId} = trace;
	const location = {root: colony.root, traceId};
	failpoint('forge.merged');
	await holdRecordedBase(context, traceId);
	const fetched = await fetchBranch(git, colony.root, remote, branch);
	if (!fetched.ok) return fetched;
	if (!(await isAncestor(git, colony.root, commit, fetched.value)))
		return refuse('not_published', {
			message: `The forge says that it merged #${number} as ${commit.slice(0, 12)}, but ${branch} at ${remote.remote} does not have that commit.`,
			hint: 'Look at the request there. hive looks again by itself.',
		});
	return withMergeLock(
		context,
		async () => {
			await recordForgeMerge(git, location, {commit, work});
			const base = await readBase(git, colony.root, traceId);
			if (base !== undefined && base.ref !== '' && base.name === branch) {
				const upstream = {
					commit: fetched.value,
					name: `${remote.remote}/${branch}`,
					remote: remote.remote,
					ref: base.ref,
				};
				const followed = await followUpstream(git, colony.root, base, upstream, failpoint);
				if (!followed.ok) ports.report(formatRefusal(followed.refusal));
			}
			// A rework may be at work there. Its review removes the worktree.
			if (openRuns(await loadTrace(bus, traceId)).length === 0) {
				const kept = await clearWorktree(context, traceId, commit);
				if (kept.worktreeKept !== '') ports.report(`The worktree is kept: ${kept.worktreeKept}`);
			}
			await publishForOthers(context, trace);
			const event = completionEvent(
				{by: actorOf(by), clock: context.clock},
				{taskId, summary: `merged as ${commit.slice(0, 7)}, by pull request #${number}`, commit},
			);
			await bus.append({...event, traceId}, {id: `${traceId}/${taskId}/merged/${commit}`});
			return accepted(undefined);
		},
		lockTimeoutMs,
	);
};
