import * as z from 'zod/mini';
import type {Approved, ApprovedRequest} from '../../actions/approval.ts';
import type {Updated} from '../../actions/finish-update.ts';
import {isShared} from '../../actions/share-base.ts';
import {accepted, refuse} from '../../domain/errors.ts';
import {escapeHidden} from '../../domain/escape-hidden.ts';
import {formatInjectedWarnings} from '../../domain/injected-warnings.ts';
import {landingStrategies} from '../../domain/landing.ts';
import {comments} from '../../domain/payload-shapes.ts';
import {formatAttendance} from '../views/review.ts';
import {guardOfGate, isAtGuard, isLanding} from '../views/task.ts';
import {action, field, type Subject} from './action.ts';
import {expected, fresh, taskId, textField, traceId} from './fields.ts';

const whyNotReviewed = ({task}: Subject): string | undefined =>
	task?.status === 'waiting_review' ? undefined : 'Nothing here waits for a review.';

const whyNotAgain = ({trace, task}: Subject): string | undefined =>
	trace && task && isLanding(trace, task)
		? 'It is approved already, and lands once its checks have passed.'
		: undefined;

const whyNotOffered = ({trace, task}: Subject): string | undefined => {
	const guard = trace && task && guardOfGate(trace, task);
	const what = guard?.taskId === undefined ? 'works in the worktree' : `looks at ${guard.taskId}`;
	return guard && `${guard.bee} still ${what}: the gate waits for that.`;
};

// A task at its guard can be approved too: the dialog says so, and approves without the guard.
const whyNotApproved = (subject: Subject): string | undefined =>
	isGuarded(subject)
		? undefined
		: (whyNotReviewed(subject) ?? whyNotAgain(subject) ?? whyNotOffered(subject));

const isGuarded = ({trace, task}: Subject): boolean =>
	trace !== undefined && task !== undefined && isAtGuard(trace, task);

export const approve = action({
	id: 'proposal.approve',
	label: 'Approve',
	confirm: true,
	anywhere: true,
	progressLabel: 'Approving',
	summary: 'Approve a task that waits for review; a final gate is merged.',
	description:
		'A task with "review: required" is not ready for review while its guard runs; --without-guard approves it anyway. With --no-merge a final gate is completed without a merge. Uncommitted changes are committed on the trace branch, which stays for a pull request. Where "verify" is required, the merge lands once its result has passed the checks: see "hive landing list". Without a live reactor this command runs them.',
	shape:
		'{v, traceId, taskId, commit, base, branch, pushed, carried, worktreeKept, worktreeHolds, landing: null or {position, tree}, pullRequest: null or {state, number, url, reason, reports: [sentence]}, clone?: {host, root, pushed}, attended, attendants: [{bee, agentId, isGuard}], planted}',
	input: z.object({
		traceId,
		taskId,
		summary: textField('Comment for the record.'),
		mergeMessage: textField(
			'Message of the merge commit; default: the title of the trace. With "rebase", of the commit with unsaved work.',
		),
		strategy: field(z.optional(z.enum(landingStrategies)), {
			summary:
				'How a final gate lands: a merge commit, one commit, or its commits replayed on the base; default: "land.strategy".',
			hint: '<strategy>',
		}),
		tree: field(z.optional(z.string()), {
			summary:
				'Merge only if this tree would be merged: its id from "proposal diff", or at least 12 digits of it.',
			hint: '<tree>',
		}),
		withoutGuard: field(z.optional(z.boolean()), {
			summary: 'Approve a task whose guard has not judged it yet.',
		}),
		merge: field(z.optional(z.boolean()), {
			summary: 'Merge the work of a final gate; else it is left on its branch.',
			turnedOff: 'Leave the work of a final gate on its branch.',
		}),
		pullRequest: field(z.optional(z.boolean()), {
			summary:
				'Open or update a pull request at the forge with the work of a final gate; it is merged there.',
		}),
		here: field(z.optional(z.boolean()), {
			summary: 'Merge here, although "forge.on_approve" is pull_request.',
		}),
		first: field(z.optional(z.boolean()), {summary: 'Land before those that were approved earlier.'}),
		wait: field(z.optional(z.boolean()), {
			summary: 'Return once it has landed (exit 0), or is back with you (exit 8).',
		}),
		withoutChecks: field(z.optional(z.boolean()), {
			summary: 'Merge at once although a required "verify" has not passed on the result. The log keeps it.',
		}),
		reason: textField('Why it is merged without checks; kept and shown with the merge.'),
		expected,
	}),
	blocked: whyNotApproved,
	fitsTask: subject => whyNotApproved(subject) === undefined,
	perform: async (context, input) => {
		if (input.reason !== undefined && !input.withoutChecks)
			return refuse('usage', {
				message: 'A reason is only kept for a merge without checks.',
				hint: 'Add --without-checks, or use --summary for a comment.',
			});
		const {approveProposal} = await import('../../actions/approve-proposal.ts');
		const approved = await approveProposal(context, input);
		if (!approved.ok) return approved;
		const {commit, base} = approved.value;
		const pushed = commit !== '' && base !== '' && isShared(context.colony);
		return accepted({...approved.value, pushed, planted: (await context.injectedGitConfig?.()) ?? []});
	},
	done: ({planted, carried, worktreeKept, worktreeHolds, attended, attendants, ...approved}) => [
		...formatApproval(approved),
		...formatAttendance({attended, attendants}),
		...(carried.length === 0
			? []
			: [`Your unsaved changes are kept in: ${carried.map(escapeHidden).join(', ')}`]),
		...(worktreeKept === '' ? [] : [`The worktree is kept: ${worktreeKept}`]),
		...(worktreeHolds.length === 0 ? [] : [`It holds ${firstOf(worktreeHolds)}.`]),
		...formatInjectedWarnings(planted),
	],
});

function whyNotRejected(subject: Subject): string | undefined {
	if (isGuarded(subject)) return 'Its guard has not judged it yet; a retry starts it over.';
	if (subject.task?.waitsFor !== undefined)
		return 'It waits for a word: a retry answers it, or sends it back.';
	const isCommitGate = subject.task?.review === 'none';
	return (
		whyNotReviewed(subject) ??
		(isCommitGate ? 'It has no review to reject; a retry sends it back.' : undefined)
	);
}

/** Maximum number of names in a sentence; JSON has all. */
const maxNames = 5;

const firstOf = (names: readonly string[]): string =>
	names.length <= maxNames
		? names.join(', ')
		: `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`;

const formatApproval = ({
	taskId,
	commit,
	base,
	branch,
	landing,
	pullRequest,
	pushed,
}: Pick<Approved, 'taskId' | 'commit' | 'base' | 'branch' | 'landing' | 'pullRequest'> & {
	readonly pushed: boolean;
}) => {
	if (landing !== null)
		return [
			landing.position === 1
				? 'Approved. It lands once the checks of its merge have passed.'
				: `Approved. It is number ${landing.position} in the landing queue.`,
		];
	if (pullRequest !== null) return [formatRequest(pullRequest), ...pullRequest.reports.map(escapeHidden)];
	if (branch !== '')
		return [`Left on ${branch}: ${commit}`, `Next: "git push origin ${branch}", then open a pull request.`];
	if (commit === '') return [`Approved ${taskId}.`];
	return [`Merged into ${base}${pushed ? ', and pushed to its upstream' : ''}: ${commit}`];
};

const formatRequest = ({state, number, url, reason, reports}: ApprovedRequest): string => {
	switch (state) {
		case 'left':
			return `Approved, but it was not sent to the forge. ${reason}`;
		case 'requested':
			return reports.length === 0
				? 'Approved. Its pull request is being sent to the forge.'
				: 'Approved. Its pull request is not at the forge yet; a reactor or "hive forge watch" sends it.';
		default:
			return `Pull request #${number} is at the forge: ${url}`;
	}
};

export const reject = action({
	id: 'proposal.reject',
	label: 'Reject',
	danger: true,
	progressLabel: 'Rejecting',
	summary: 'Send a task back for rework; what you say reaches the next prompt.',
	description:
		'A task with "review: required" returns to ready. A final gate gets a rework task, and opens again when that is done. The rework resumes the session of its tool, if there is one. Comments on lines reach its prompt with path, line and the quoted code. In them, side is old or new, and line and endLine count from 1.',
	shape: '{v, traceId, taskId, reworkTaskId, reworks}',
	needsReactor: true,
	input: z.object({
		traceId,
		taskId,
		feedback: textField(
			'What should be different; without it the next run only learns that it was rejected.',
		),
		comments: field(z.optional(comments), {
			summary:
				'Comments on lines, [{path, side, line, endLine, quote, text}…]: a JSON file, or - for standard input.',
			hint: '<file|->',
			complete: 'files',
		}),
		rework: field(z.optional(z.string()), {
			summary:
				'For a gate: the task whose bee does the rework. Without it: the one that changed the files of the comments, else the last that proposed.',
			hint: '<task>',
			complete: 'tasks',
		}),
		fresh,
		expected,
	}),
	blocked: whyNotRejected,
	fitsTask: subject => whyNotRejected(subject) === undefined,
	perform: async (context, input) => {
		const {rejectProposal} = await import('../../actions/reject-proposal.ts');
		return rejectProposal(context, input);
	},
	done: ({taskId, reworkTaskId, reworks}) => [
		reworkTaskId === taskId
			? `Task ${taskId} is ready for rework.`
			: `The rework is task ${reworkTaskId}${reworks === '' ? '' : `: it reworks ${reworks}`}.`,
	],
});

export const update = action({
	id: 'proposal.update',
	label: 'Update from base',
	confirm: true,
	anywhere: true,
	progressLabel: 'Updating',
	summary: "Merge the base branch into a trace's worktree.",
	description:
		'Uncommitted changes there are committed on the trace branch first. If there are conflicts, no file is moved, and a rework task names them.',
	shape: '{v, traceId, base, commit, updated, conflicts, reworkTaskId}',
	input: z.object({traceId}),
	perform: async (context, input) => {
		const {updateProposal} = await import('../../actions/update-proposal.ts');
		return updateProposal(context, input);
	},
	done: formatUpdate,
});

function formatUpdate({base, commit, updated, conflicts, reworkTaskId}: Updated): readonly string[] {
	if (updated) return [`Merged ${base} into the trace branch, which is at ${commit}.`];
	if (conflicts.length === 0) return [`The trace branch has all of ${base} already.`];
	return [
		`The work conflicts with ${base}; no file was moved. The rework is task ${reworkTaskId}.`,
		...conflicts.map(path => `conflict: ${escapeHidden(path)}`),
	];
}
