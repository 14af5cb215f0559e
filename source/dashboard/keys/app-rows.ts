import {shownPreview} from '../store/review.ts';
import {focusedPane, subjectOf} from '../store/selectors.ts';
import {isList, type State} from '../store/state.ts';
import {textRows} from '../store/texts.ts';
import {needsTrace} from './act-rows.ts';
import type {Row} from './row.ts';

/** The text that `y` copies: of a detail, of the patch in the diff, else the id of the selection. */
export const copyText = (state: State): string | undefined => {
	const pane = focusedPane(state);
	const {trace, task, run, invite} = subjectOf(state);
	if (invite) return invite.inviteId;
	if (pane === 'diff') {
		const preview = shownPreview(state);
		return preview?.state === 'ready' ? preview.preview.patch : undefined;
	}
	if (state.detail && !isList(pane)) return textRows(state, pane).join('\n');
	if (pane === 'runs' || pane === 'allRuns' || pane === 'log' || pane === 'sessions') return run?.agentId;
	return pane === 'tasks' || pane === 'queue' || pane === 'sheet' ? task?.taskId : trace?.traceId;
};

/** Rows of copying. */
export const copyRows = [
	{
		action: 'copy.id',
		keys: ['y'],
		scope: 'everywhere',
		label: 'copy',
		help: 'Copy the id, or the patch.',
		hint: 12,
		blocked: (state: State) => (copyText(state) === undefined ? 'There is nothing to copy.' : undefined),
	},
	{
		action: 'copy.command',
		keys: ['Y'],
		scope: 'everywhere',
		label: 'copy command',
		help: 'Copy the command that does the same.',
		blocked: needsTrace,
	},
] as const satisfies readonly Row[];

/** Rows of the dashboard itself. */
export const appRows = [
	{
		action: 'palette',
		keys: [':'],
		scope: 'everywhere',
		label: 'palette',
		help: 'Every action by name.',
		first: 9,
	},
	{
		action: 'help',
		keys: ['?'],
		scope: 'everywhere',
		label: 'help',
		short: 'more',
		help: 'The keys that matter first, then all that work here.',
		hint: 13,
	},
	{action: 'mouse', keys: ['m'], scope: 'everywhere', label: 'mouse', help: 'Mouse on or off.'},
	{
		action: 'redraw',
		keys: ['ctrl+l'],
		scope: 'everywhere',
		label: 'redraw',
		help: 'Draw everything again.',
	},
	{
		action: 'suspend',
		keys: ['ctrl+z'],
		scope: 'everywhere',
		label: 'suspend',
		help: 'Back to the shell; fg returns.',
	},
	{action: 'quit', keys: ['q'], scope: 'everywhere', label: 'quit', help: 'Quit.', first: 10, hint: 14},
	{
		action: 'interrupt',
		keys: ['ctrl+c'],
		scope: 'everywhere',
		label: 'quit',
		help: 'Quit; twice within three seconds: at once.',
	},
] as const satisfies readonly Row[];
