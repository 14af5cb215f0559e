import {type Updated, updateProposal} from '../../actions/update-proposal.ts';
import {accepted} from '../../domain/errors.ts';
import {command} from '../command.ts';
import {traceFlag} from '../shared-flags.ts';

export const proposalUpdate = command({
	path: 'proposal update',
	summary: "Bring the base branch into a trace's worktree.",
	description:
		'What is uncommitted there is committed on the trace branch first. Conflicts move no file and become a rework task that names them.',
	flags: {trace: traceFlag},
	json: '{v, traceId, base, commit, updated, conflicts, reworkTaskId}',
	run: async ({trace}, session) => {
		const updated = await updateProposal(await session.open(), {traceId: trace});
		if (!updated.ok) return updated;
		return accepted({json: updated.value, text: wordsOf(updated.value)});
	},
});

const wordsOf = ({base, commit, updated, conflicts, reworkTaskId}: Updated) => {
	if (updated) return `Brought ${base} in: the trace branch is at ${commit}.`;
	if (conflicts.length === 0) return `The trace branch has all of ${base} already.`;
	return [
		`The work conflicts with ${base}; no file was moved. The rework is task ${reworkTaskId}.`,
		...conflicts.map(path => ({text: `\nconflict: ${path}`, style: 'bad'}) as const),
	];
};
