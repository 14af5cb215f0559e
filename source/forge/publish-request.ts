import {holdRecordedBase} from '../actions/hold-base.ts';
import {withMergeLock} from '../actions/merge-lock.ts';
import {accepted, formatRefusal, type Outcome, refuse} from '../domain/errors.ts';
import type {PullRequest} from '../domain/pull-request.ts';
import type {Trace} from '../domain/trace.ts';
import {ForgeError, type ForgeRequest} from '../ports/forge.ts';
import {leaveBranch} from '../workspaces/merge/leave-branch.ts';
import {fetchBranch, publishBranch} from '../workspaces/merge/publish-branch.ts';
import {isAncestor, treeOf} from '../workspaces/trees/objects.ts';
import {refsOf} from '../workspaces/trees/refs.ts';
import {appendAbout, type ForgeContext} from './context.ts';
import {commitSubject, requestText, withOwnPart} from './request-text.ts';

/** Max milliseconds to wait for a merge that another process makes. A push may be among it. */
const lockTimeoutMs = 60_000;

/**
 * Sends an approved review to the forge: commits its work on the trace's branch, pushes that, and opens or
 * updates the request. Each step finds what an earlier attempt, cut short by a crash, has done. What cannot
 * be sent goes back to the person with the reason. Throws a `ForgeError` where trying again may help.
 */
export const publishRequest = async (
	ports: ForgeContext,
	trace: Trace,
	request: PullRequest,
): Promise<void> => {
	const {traceId} = trace;
	const {taskId, approved} = request;
	const sent = await send(ports, trace, request).catch(refuseForGood);
	if (sent.ok) {
		const {number, url, commit, tree} = sent.value;
		await appendAbout(ports, traceId, `${approved}/pushed/${commit}`, {
			...{kind: 'pull_request.pushed', taskId, number, url, commit, tree},
		});
		ports.context.failpoint('forge.recorded');
		return;
	}
	const {code} = sent.refusal;
	if (code === 'forge_unreachable') throw new ForgeError('unreachable', formatRefusal(sent.refusal));
	if (code === 'merge_open') throw new ForgeError('conflict', formatRefusal(sent.refusal));
	await appendAbout(ports, traceId, `${approved}/left`, {
		...{kind: 'pull_request.left', taskId, reason: formatRefusal(sent.refusal)},
	});
};

type Sent = {readonly number: number; readonly url: string; readonly commit: string; readonly tree: string};

const send = async (ports: ForgeContext, trace: Trace, request: PullRequest): Promise<Outcome<Sent>> => {
	const {context, settings, forge, remote} = ports;
	const {git, colony, failpoint} = context;
	const {traceId} = trace;
	const {root} = colony;
	const {branch} = refsOf(traceId);
	await holdRecordedBase(context, traceId);
	const pushed = await withMergeLock(
		context,
		async (): Promise<Outcome<{readonly commit: string; readonly tree: string}>> => {
			const subject = commitSubject(trace, request);
			const left = await leaveBranch(git, {root, traceId, tree: request.tree, subject}, failpoint);
			if (!left.ok) return left;
			const {commit} = left.value;
			const lease = await leaseOf(ports, request, {branch, commit});
			const published = await publishBranch(git, root, remote, {branch, commit, lease});
			if (!published.ok) return published;
			return accepted({commit, tree: await treeOf(git, root, commit)});
		},
		lockTimeoutMs,
	);
	if (!pushed.ok) return pushed;
	failpoint('forge.pushed');
	const {title, body} = requestText(trace, request, settings);
	const found = await forge.findRequest(branch);
	if (found?.state === 'open') {
		await edit(ports, found, {title, body}, request.number === undefined);
		failpoint('forge.opened');
		return accepted({number: found.number, url: found.url, ...pushed.value});
	}
	const {draft, reviewers, labels} = settings;
	const opened = await forge.openRequest({
		...{title, body, branch, base: request.base, isDraft: draft, reviewers, labels},
	});
	failpoint('forge.opened');
	for (const problem of opened.problems ?? []) ports.report(problem);
	return accepted({number: opened.number, url: opened.url, ...pushed.value});
};

/**
 * The commit that the branch at the forge may have: hive's own last one. If others pushed there, it is
 * theirs, as soon as the work here contains it.
 */
const leaseOf = async (
	{context: {git, colony}, remote}: ForgeContext,
	{commit: own = '', movedTo}: PullRequest,
	{branch, commit}: {readonly branch: string; readonly commit: string},
): Promise<string> => {
	if (movedTo === undefined) return own;
	const there = await fetchBranch(git, colony.root, remote, branch);
	if (!there.ok) return own;
	return (await isAncestor(git, colony.root, there.value, commit)) ? there.value : own;
};

/** A title that people changed at the forge stays. */
const edit = async (
	{forge}: ForgeContext,
	found: ForgeRequest,
	{title, body}: {readonly title: string; readonly body: string},
	isFirst: boolean,
): Promise<void> => {
	const next = withOwnPart(found.body, body);
	const change = {
		...(isFirst && found.title !== title && {title}),
		...(next !== found.body && {body: next}),
	};
	if (Object.keys(change).length > 0) await forge.editRequest(found.number, change);
};

/** Refuses what trying again does not mend, and throws the rest. */
const refuseForGood = (error: unknown): Outcome<Sent> => {
	if (!(error instanceof ForgeError)) throw error;
	const {trouble, message} = error;
	if (trouble === 'unreachable' || trouble === 'limited' || trouble === 'conflict') throw error;
	return refuse('not_published', {message});
};
