import {accepted} from '../../domain/errors.ts';
import {purge as purgeAction} from '../../host/actions/keeping.ts';
import {askLine} from '../ask-line.ts';
import {command} from '../command.ts';
import {boolean, text} from '../flags.ts';
import {traceFlag} from '../shared-flags.ts';

export const purge = command({
	path: 'purge',
	summary: 'Remove a finished trace for good: worktree, branch, kept files, run directory, events.',
	description:
		'Refused while a run is open, while a task is unfinished (kill the trace first), or if its work is nowhere else. Merged work stays, and so does a branch that was left for a pull request. The log keeps one event, which says that the trace was purged. The trace is no longer shown, and its id is not used again. Run an interrupted purge again to finish it.',
	flags: {
		trace: traceFlag,
		confirm: text({summary: 'The trace id again, to confirm; at a terminal hive asks for it.', hint: '<id>'}),
		discardUnmerged: boolean({summary: 'Also remove work that is on no other branch.'}),
	},
	examples: ['purge --trace trace-0199… --confirm trace-0199…'],
	json: '{v, traceId, removed: […], events}',
	run: async ({trace, confirm, discardUnmerged}, commandContext) => {
		const context = await commandContext.open();
		const typed =
			confirm ??
			(await askLine(`This cannot be undone. Type ${trace} to remove the trace: `, commandContext.signal)) ??
			'';
		const purged = await purgeAction.run(context, {traceId: trace, confirm: typed, discardUnmerged});
		if (!purged.ok) return purged;
		const {value, sentences} = purged.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});
