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
		'Refused while a run is open or a task is unfinished (kill the trace first), and while work of it is nowhere else. A branch that was left for a pull request stays, and so does what was merged. The log keeps one event, that it was purged: nothing shows the trace any more, and its id is not used again. Interrupted, it is finished by running it again.',
	flags: {
		trace: traceFlag,
		confirm: text({summary: 'The trace id again; a terminal is asked for it.', hint: '<id>'}),
		discardUnmerged: boolean({summary: 'Remove work that is on no other branch, too.'}),
	},
	examples: ['purge --trace trace-0199… --confirm trace-0199…'],
	json: '{v, traceId, removed: […], events}',
	run: async ({trace, confirm, discardUnmerged}, commandContext) => {
		const context = await commandContext.open();
		const typed =
			confirm ??
			(await askLine(
				`This cannot be undone. Type ${trace} to remove what it left: `,
				commandContext.signal,
			)) ??
			'';
		const purged = await purgeAction.run(context, {traceId: trace, confirm: typed, discardUnmerged});
		if (!purged.ok) return purged;
		const {value, sentences} = purged.value;
		return accepted({json: value, text: sentences.join('\n')});
	},
});
