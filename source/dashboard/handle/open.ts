import {awaitsPerson} from '../../domain/task.ts';
import {openDetail} from '../store/detail-changes.ts';
import {eventDetails} from '../store/event-details.ts';
import {select, setFilter} from '../store/list-changes.ts';
import {isSameCall} from '../store/log.ts';
import {foldCall, unfoldCall} from '../store/log-changes.ts';
import {setMode} from '../store/mode-changes.ts';
import {focusPane, openTab} from '../store/pane-changes.ts';
import {queueKey, queueList, selectedFile, selectedWaitingSession} from '../store/queue.ts';
import {eventList, focusedPane, subjectOf} from '../store/selectors.ts';
import {canUnfoldSheet, toggleSheetLine} from '../store/sheet-text.ts';
import type {State} from '../store/state.ts';
import {selectedCall} from '../store/texts.ts';
import {isCollapsedRow} from '../store/trace-list.ts';
import {toggleCollapsed} from '../store/trace-list-changes.ts';
import type {HandleContext, Handler} from './context.ts';
import {accept} from './invites.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openPassthrough} from './sessions.ts';

export const open: Handler = context => {
	const {store} = context;
	const state = store.getState();
	const pane = focusedPane(state);
	if ((pane === 'sessions' || pane === 'log') && openPassthrough(context)) return;
	if (pane === 'log') return toggleCall(context);
	if (pane === 'events') return openEvent(store.getState(), store);
	if (pane === 'sessions') return store.dispatch(focusPane('log'));
	if (pane === 'allRuns' || pane === 'runs') return showDetail(context);
	if (pane === 'traces') return store.dispatch(isCollapsedRow(state) ? toggleCollapsed : focusPane('tasks'));
	const {trace, task, invite} = subjectOf(state);
	if (pane === 'queue' || pane === 'diff') {
		const file = selectedFile(state);
		if (file !== undefined) return void lendTerminal(context, () => context.world.editFile(file));
		if (invite) return accept(context);
		const sessionId = selectedWaitingSession(state);
		if (sessionId !== undefined) {
			store.dispatch(openTab('sessions'));
			return store.dispatch(select('sessions', sessionId));
		}
	}
	if (pane === 'sheet') return store.dispatch(canUnfoldSheet(state) ? toggleSheetLine : focusPane('diff'));
	if (pane === 'queue') return store.dispatch(focusPane('sheet'));
	if (pane === 'tasks' && trace && task && awaitsPerson(task)) {
		store.dispatch(openTab('review'));
		return store.dispatch(select('queue', queueKey({trace, task})));
	}
	if (pane === 'tasks') showDetail(context);
};

/** Opens the diff of the shown decision in the Review tab, also if a filter hides it there. */
export const openDiff: Handler = ({store}) => {
	const {trace, task} = subjectOf(store.getState());
	if (trace === undefined || task === undefined) return;
	const key = queueKey({trace, task});
	store.dispatch(openTab('review'));
	if (!queueList.has(store.getState(), key)) store.dispatch(setFilter('queue', ''));
	store.dispatch(select('queue', key));
	store.dispatch(focusPane('diff'));
};

/** Opens the detail of the selected task, run or trace. */
export const showDetail: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	const {trace, task, run} = subjectOf(state);
	if (trace === undefined || state.detail) return;
	const isOfRun = pane === 'runs' || pane === 'allRuns' || pane === 'log' || pane === 'sessions';
	store.dispatch(
		openDetail({
			traceId: trace.traceId,
			...(task && pane !== 'traces' && {taskId: task.taskId}),
			...(run && isOfRun && {agentId: run.agentId}),
			isOfRun,
		}),
	);
};

const openEvent = (state: State, store: HandleContext['store']): void => {
	const event = eventList.selected(state);
	if (event) store.dispatch(setMode({kind: 'details', ...eventDetails(event, state.traces), top: 0}));
};

/** Unfolds the tool call at the cursor of the log, or folds it. */
const toggleCall: Handler = ({store}) => {
	const state = store.getState();
	const call = selectedCall(state);
	if (call === undefined) return;
	const {unfolded} = state.log;
	store.dispatch(unfolded && isSameCall(unfolded.call, call) ? foldCall : unfoldCall(call));
};
