import {hasWorktree, worksInWorktree} from '../store/live.ts';
import {isSameCall} from '../store/log.ts';
import {markable} from '../store/marks.ts';
import {selectedSession, showsProgram} from '../store/program.ts';
import {selectedFile} from '../store/queue.ts';
import {
	selectedDraft,
	selectedLeftOutFile,
	selectedPosition,
	shownPreview,
	shownSince,
} from '../store/review.ts';
import {focusedPane, lists, logOfRun, type Subject, subjectOf} from '../store/selectors.ts';
import {canUnfoldSheet} from '../store/sheet-text.ts';
import {isList, type State} from '../store/state.ts';
import {selectedCall} from '../store/texts.ts';
import {archivable} from '../store/trace-list.ts';
import {needsPanes} from './move-rows.ts';
import type {Row} from './row.ts';

const needsRow = (state: State): string | undefined => {
	const pane = focusedPane(state);
	if (pane === 'sheet')
		return state.tab === 'review' || canUnfoldSheet(state) ? undefined : 'This line has no more text.';
	if (pane === 'log')
		return selectedSession(state) || selectedCall(state)
			? undefined
			: 'There is no tool call to unfold here.';
	if (pane === 'diff' && (subjectOf(state).invite || selectedFile(state))) return undefined;
	// A request without planned tasks has a detail of its own.
	if (pane === 'tasks' && subjectOf(state).trace?.tasks.size === 0) return undefined;
	return isList(pane) && lists[pane].position(state) >= 0 ? undefined : 'There is nothing to open here.';
};

/** Enter unfolds a tool call in the log, or folds it. */
const openLabel = (state: State): string | undefined => {
	if (focusedPane(state) !== 'log' || selectedSession(state)) return undefined;
	const call = selectedCall(state);
	if (call === undefined) return undefined;
	const {unfolded} = logOfRun(state);
	return unfolded && isSameCall(unfolded.call, call) ? 'fold' : 'unfold';
};

const needsSubject = (state: State): string | undefined => {
	if (state.detail || state.live) return 'It is open: Esc closes it.';
	return subjectOf(state).trace ? undefined : 'There is nothing to look at here.';
};

const needsWorktree = (state: State): string | undefined => {
	if (state.past !== undefined) return 'This is how the trace was: Esc shows it as it is now.';
	const {trace, run} = subjectOf(state);
	if (trace === undefined) return 'Select a trace first.';
	if (run?.status === 'running' && !worksInWorktree(run))
		return 'This run has no worktree: it works in the checkout itself.';
	return hasWorktree(trace) ? undefined : 'No run of this trace has worked in a worktree.';
};

const needsLive = (state: State): string | undefined =>
	state.live ? 'It is open: Esc closes it.' : needsWorktree(state);

const needsEarlier = (state: State): string | undefined => {
	if (state.past?.position === 0) return 'This is the first event.';
	return subjectOf(state).trace ? undefined : 'Select a trace first.';
};

const needsPast = ({past}: State): string | undefined =>
	past === undefined ? 'That is now: e shows the trace one event earlier.' : undefined;

/** The reason if the pane is on the whole screen already, or is the only one. */
const needsOthers = (state: State): string | undefined =>
	state.detail || state.live ? 'This has the whole screen.' : needsPanes(state);

const needsSearch = ({search}: State): string | undefined =>
	search === '' ? 'There is no search yet: / starts one.' : undefined;

const needsOutput = (state: State): string | undefined => {
	if (showsProgram(state)) return 'The screen of a session has both.';
	return logOfRun(state).agentId === '' ? 'No run is selected.' : undefined;
};

const needsMarkable = (state: State): string | undefined => {
	const pane = focusedPane(state);
	if (!isList(pane) || !markable.has(pane)) return 'No action here takes several rows.';
	return lists[pane].position(state) >= 0 ? undefined : 'There is nothing to mark here.';
};

const needsReview = ({live}: State): string | undefined =>
	live ? 'This is for a change that waits for you: the Review tab has those.' : undefined;

const needsLines = (state: State): string | undefined => {
	if (state.live) return selectedLeftOutFile(state) ? undefined : needsReview(state);
	if (selectedDraft(state) || selectedPosition(state) || selectedLeftOutFile(state)) return undefined;
	return shownSince(state)
		? 'Comments need lines of one hunk of the whole change: b shows it.'
		: 'Comments need lines of one hunk.';
};

const needsSince = (state: State): string | undefined => {
	const preview = shownPreview(state);
	return preview?.state === 'ready' && preview.since
		? undefined
		: 'This is the whole change: nothing changed since you looked, or you had not looked.';
};

/** Rows of viewing. */
export const viewRows = [
	{
		action: 'open',
		keys: ['enter'],
		scope: 'everywhere',
		label: 'open',
		says: openLabel,
		short: '',
		help: 'Open what is selected; unfold a tool call in the log; talk with a session; edit a broken file.',
		hint: 3,
		blocked: needsRow,
	},
	{
		action: 'detail',
		keys: ['i'],
		scope: 'everywhere',
		label: 'detail',
		help: 'All there is to know of what is selected.',
		blocked: needsSubject,
	},
	{
		action: 'live',
		keys: ['D'],
		scope: 'everywhere',
		label: 'live diff',
		command: ({trace}: Subject) => `hive proposal diff --trace ${trace?.traceId}`,
		help: 'The change in the worktree as it is now, while a run works there or the work waits.',
		hint: 10,
		blocked: needsLive,
	},
	{
		action: 'worktree.edit',
		keys: ['O'],
		scope: 'everywhere',
		label: 'worktree',
		help: 'Open the worktree in $EDITOR.',
		blocked: needsWorktree,
	},
	{
		action: 'worktree.shell',
		keys: ['!'],
		scope: 'everywhere',
		label: 'shell',
		help: 'A shell in the worktree; asks first while a run works there.',
		blocked: needsWorktree,
	},
	{
		action: 'part.previous',
		keys: ['[', 'shift+tab'],
		scope: 'detail',
		family: 'part',
		label: 'part',
		help: 'Previous part of the detail.',
	},
	{
		action: 'part.next',
		keys: [']', 'tab'],
		scope: 'detail',
		family: 'part',
		label: 'part',
		help: 'Next part of the detail.',
		hint: 3,
	},
	{
		action: 'past.earlier',
		keys: ['e'],
		scope: 'past',
		family: 'past',
		label: 'earlier',
		help: 'The trace as it was one event earlier.',
		blocked: needsEarlier,
	},
	{
		action: 'past.later',
		keys: ['E'],
		scope: 'past',
		family: 'past',
		label: 'later',
		help: 'The trace one event later, up to now.',
		blocked: needsPast,
	},
	{
		action: 'back',
		keys: ['esc'],
		scope: 'everywhere',
		label: 'back',
		help: 'Back; to now; clear the filter; leave zoom.',
	},
	{
		action: 'filter',
		keys: ['/'],
		scope: 'everywhere',
		label: 'filter',
		help: 'Filter the list, or search the text.',
		hint: 4,
	},
	{
		action: 'search.next',
		keys: ['n'],
		scope: 'texts',
		family: 'match',
		label: 'next match',
		help: 'Next match.',
		blocked: needsSearch,
	},
	{
		action: 'search.previous',
		keys: ['N'],
		scope: 'texts',
		family: 'match',
		label: 'previous match',
		help: 'Previous match.',
		blocked: needsSearch,
	},
	{
		action: 'mark',
		keys: ['space'],
		scope: 'everywhere',
		label: 'mark',
		help: 'Mark the row, or take its mark away.',
		blocked: needsMarkable,
	},
	{
		action: 'sort',
		keys: ['s'],
		scope: 'traces',
		label: 'sort',
		help: 'Next order of the traces.',
	},
	{
		action: 'leave',
		keys: ['esc'],
		scope: 'detail',
		label: 'back',
		help: 'Out of the detail.',
		hint: 1,
	},
	{
		action: 'live.close',
		keys: ['esc'],
		scope: 'live',
		label: 'back',
		help: 'Out of the live diff.',
		hint: 1,
	},
	{
		action: 'unfold',
		keys: ['right', 'l'],
		scope: 'folded',
		label: 'unfold',
		help: 'Show the finished traces.',
	},
	{
		action: 'fold',
		keys: ['left', 'h'],
		scope: 'unfolded',
		label: 'fold',
		help: 'Put the finished traces back into one row.',
	},
	{
		action: 'archive',
		keys: ['A'],
		scope: 'traces',
		label: 'archive',
		help: 'Put a finished trace away, or take it back (/is:archived).',
		blocked: (state: State) =>
			archivable(state).length === 0 ? 'Only what is finished can be archived.' : undefined,
	},
	{
		action: 'zoom',
		keys: ['z'],
		scope: 'everywhere',
		label: 'zoom',
		help: 'One pane on the whole screen; a session on the whole terminal.',
		hint: 12,
		blocked: needsOthers,
	},
	{
		action: 'follow',
		keys: ['f'],
		scope: 'log',
		label: 'follow',
		help: 'Stay at the end of the log.',
		hint: 5,
	},
	{action: 'wrap', keys: ['w'], scope: 'log', label: 'wrap', help: 'Wrap long lines.', hint: 6},
	{
		action: 'stream',
		keys: ['e'],
		scope: 'log',
		label: 'stderr/stdout',
		short: 'stderr',
		help: 'Standard error, and back to standard output.',
		hint: 8,
		blocked: needsOutput,
	},
	{action: 'pause', keys: ['p'], scope: 'events', label: 'pause', help: 'Hold the list still.', hint: 5},
	{
		action: 'comment',
		keys: ['enter'],
		scope: 'diff',
		label: 'comment',
		help: 'Comment on the lines, or change the comment; a rejection sends all. Opens a file that is left out.',
		hint: 3,
		blocked: needsLines,
	},
	{
		action: 'comment.drop',
		keys: ['d'],
		scope: 'diff',
		label: 'drop comment',
		help: 'Throw the comment away.',
		blocked: state => needsReview(state) ?? (selectedDraft(state) ? undefined : 'There is no comment here.'),
	},
	{
		action: 'range',
		keys: ['v'],
		scope: 'diff',
		label: 'range',
		help: 'Select a range of lines: v begins it, and ends it again.',
		blocked: needsReview,
	},
	{
		action: 'seen',
		keys: ['space'],
		scope: 'diff',
		label: 'reviewed',
		help: 'Mark the file as reviewed, until its content changes.',
		hint: 9,
		blocked: needsReview,
	},
	{
		action: 'diff.whole',
		keys: ['b'],
		scope: 'diff',
		label: 'since/whole',
		help: 'The whole change, or what changed since you looked.',
		blocked: needsSince,
	},
	{action: 'diff.wrap', keys: ['w'], scope: 'diff', label: 'wrap', help: 'Wrap long lines.', hint: 10},
	{
		action: 'hunk.previous',
		keys: ['['],
		scope: 'diff',
		family: 'hunk',
		label: 'hunk',
		help: 'Previous hunk.',
	},
	{
		action: 'hunk.next',
		keys: [']'],
		scope: 'diff',
		family: 'hunk',
		label: 'hunk',
		help: 'Next hunk.',
		hint: 5,
	},
	{
		action: 'file.previous',
		keys: ['{'],
		scope: 'diff',
		family: 'file',
		label: 'file',
		help: 'Previous file.',
	},
	{
		action: 'file.next',
		keys: ['}'],
		scope: 'diff',
		family: 'file',
		label: 'file',
		help: 'Next file.',
		hint: 6,
	},
	{
		action: 'pager',
		keys: ['o'],
		scope: 'texts',
		label: 'pager',
		help: 'The whole text in $PAGER.',
		hint: 7,
	},
] as const satisfies readonly Row[];
