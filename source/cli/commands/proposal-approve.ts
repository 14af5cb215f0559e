import type {Approved} from '../../actions/approval.ts';
import {approveProposal} from '../../actions/approve-proposal.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';
import {plantedWarning} from '../planted-warning.ts';
import {taskFlag, traceFlag} from '../shared-flags.ts';

export const proposalApprove = command({
	path: 'proposal approve',
	summary: 'Approve a task that waits for review; a final gate is merged.',
	description:
		'With --no-merge a final gate is completed without a merge: what is uncommitted is committed on the trace branch, which is left for a pull request.',
	flags: {
		trace: traceFlag,
		task: taskFlag,
		summary: text({summary: 'Words for the record.', hint: '<text>'}),
		mergeMessage: text({
			summary: 'Message of the merge commit; the title of the trace without it.',
			hint: '<text>',
		}),
		tree: text({
			summary: 'Merge only if this is what would be merged, as "proposal diff" showed it.',
			hint: '<tree>',
		}),
		merge: boolean({summary: 'Leave the work of a final gate on its branch.', initially: true}),
	},
	json: '{v, traceId, taskId, commit, base, branch, carried, worktreeKept, planted}',
	run: async ({trace, task, summary, mergeMessage, tree, merge}, session) => {
		const context = await session.open();
		const approved = await approveProposal(context, {
			traceId: trace,
			taskId: task,
			summary,
			mergeMessage,
			tree,
			merge,
		});
		if (!approved.ok) return approved;
		const {carried, worktreeKept} = approved.value;
		const planted = (await context.plantedInGit?.()) ?? [];
		return accepted({
			json: {...approved.value, planted},
			text: [
				plantedWarning(planted),
				outcomeOf(approved.value),
				carried.length === 0 ? '' : `\nYour unsaved changes are kept in: ${carried.join(', ')}`,
				worktreeKept === '' ? '' : `\nThe worktree is kept: ${worktreeKept}`,
			],
		});
	},
});

const outcomeOf = ({taskId, commit, base, branch}: Approved): string => {
	if (branch !== '')
		return `Left on ${branch}: ${commit}\nNext: "git push origin ${branch}", then open a pull request.`;
	return commit === '' ? `Approved ${taskId}.` : `Merged into ${base}: ${commit}`;
};
