import type {TaskWait} from '../../domain/question.ts';
import {awaitsDecision} from '../../host/views/task.ts';
import {askedLines} from '../store/asked-lines.ts';
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
import {focusedPane, lists, logOfRun, subjectOf} from '../store/selectors.ts';
import {canUnfoldSheet, selectedExample, sheetLineLabel} from '../store/sheet-text.ts';
import {isList, type State} from '../store/state.ts';
import {selectedCall} from '../store/texts.ts';
import {needsPanes} from './move-rows.ts';

export const needsRow = (state: State): string | undefined => {
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

/** Enter unfolds a tool call in the log or a line of the sheet, or folds it. */
export const openLabel = (state: State): string | undefined => {
	if (focusedPane(state) === 'sheet') return sheetLineLabel(state);
	if (focusedPane(state) !== 'log' || selectedSession(state)) return undefined;
	const call = selectedCall(state);
	if (call === undefined) return undefined;
	const {unfolded} = logOfRun(state);
	return unfolded && isSameCall(unfolded.call, call) ? 'fold' : 'unfold';
};

/** Enter takes the example at the cursor of an empty colony. */
export const exampleLabel = (state: State): string | undefined =>
	selectedExample(state) === undefined ? undefined : 'use example';

export const needsSubject = (state: State): string | undefined => {
	if (state.detail || state.live) return 'It is open: Esc closes it.';
	return subjectOf(state).trace ? undefined : 'There is nothing to look at here.';
};

export const needsWorktree = (state: State): string | undefined => {
	if (state.past !== undefined) return 'This is how the trace was: Esc shows it as it is now.';
	const {trace, run} = subjectOf(state);
	if (trace === undefined) return 'Select a trace first.';
	if (run?.status === 'running' && !worksInWorktree(run))
		return 'This run has no worktree: it works in the checkout itself.';
	return hasWorktree(trace) ? undefined : 'No run of this trace has worked in a worktree.';
};

export const needsLive = (state: State): string | undefined =>
	state.live ? 'It is open: Esc closes it.' : needsWorktree(state);

/** What waits for such an answer has a diff only if it was proposed before. */
const withoutChange: readonly (TaskWait | undefined)[] = ['question', 'no_change'];

export const needsDiff = (state: State): string | undefined => {
	if (state.past !== undefined) return 'This is how the trace was: Esc shows it as it is now.';
	const {trace, task} = subjectOf(state);
	const isReview =
		trace !== undefined &&
		task !== undefined &&
		awaitsDecision(trace, task) &&
		(task.proposal !== undefined || !withoutChange.includes(task.waitsFor));
	return isReview ? undefined : 'Nothing here waits for your review.';
};

export const needsEarlier = (state: State): string | undefined => {
	if (state.past?.position === 0) return 'This is the first event.';
	return subjectOf(state).trace ? undefined : 'Select a trace first.';
};

export const needsPast = ({past}: State): string | undefined =>
	past === undefined ? 'That is now: e shows the trace one event earlier.' : undefined;

/** The reason if the pane is on the whole screen already, or is the only one. */
export const needsOthers = (state: State): string | undefined =>
	state.detail || state.live ? 'This has the whole screen.' : needsPanes(state);

export const needsSearch = ({search}: State): string | undefined =>
	search === '' ? 'There is no search yet: / starts one.' : undefined;

export const needsOutput = (state: State): string | undefined => {
	if (showsProgram(state)) return 'The screen of a session has both.';
	return logOfRun(state).agentId === '' ? 'No run is selected.' : undefined;
};

export const needsMarkable = (state: State): string | undefined => {
	const pane = focusedPane(state);
	if (!isList(pane) || !markable.has(pane)) return 'No action here takes several rows.';
	return lists[pane].position(state) >= 0 ? undefined : 'There is nothing to mark here.';
};

export const needsReview = ({live}: State): string | undefined =>
	live ? 'This is for a change that waits for you: the Review tab has those.' : undefined;

export const needsLine = (state: State): string | undefined =>
	askedLines(state).length > 0 ? undefined : 'Select a line of the change first.';

export const needsLines = (state: State): string | undefined => {
	if (state.live) return selectedLeftOutFile(state) ? undefined : needsReview(state);
	if (selectedDraft(state) || selectedPosition(state) || selectedLeftOutFile(state)) return undefined;
	return shownSince(state)
		? 'Comments need lines of one hunk of the whole change: s shows it.'
		: 'Comments need lines of one hunk.';
};

export const needsSince = (state: State): string | undefined => {
	const preview = shownPreview(state);
	return preview?.state === 'ready' && preview.since
		? undefined
		: 'This is the whole change: nothing changed since you looked, or you had not looked.';
};
