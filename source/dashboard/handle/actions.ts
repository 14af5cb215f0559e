import {exitCodes} from '../../domain/error-table.ts';
import {awaitsPerson, isPaused} from '../../domain/task.ts';
import {isActionId, type ActionId as TableActionId} from '../../host/actions/table.ts';
import {actionForm} from '../forms/action-form.ts';
import {cueForm, honeyForm, killForm, quitForm} from '../forms/make.ts';
import {cancelForm, noComments, rejectForm, retryForm} from '../forms/task.ts';
import type {ActionId} from '../keys/table.ts';
import {areaOf, inside} from '../layout.ts';
import {
	archive,
	closeDetail,
	closePast,
	focusNext,
	focusPane,
	foldFinished,
	followLog,
	move,
	nextPart,
	nextSort,
	openDetail,
	openTab,
	say,
	scrollSideways,
	select,
	setFilter,
	setMarks,
	setMode,
	stepPast,
	tabNext,
	toggleFold,
	toggleMouse,
	togglePause,
	toggleStream,
	toggleWrap,
	toggleZoom,
	tookCommands,
} from '../store/changes.ts';
import {eventDetails} from '../store/event-details.ts';
import {markedIds, toggleMark} from '../store/marks.ts';
import {selectedSession} from '../store/program.ts';
import {queueKey} from '../store/queue.ts';
import {commentsToSend, shownSince} from '../store/review.ts';
import {endRange, toggleRange, toggleSeen, toggleWhole} from '../store/review-changes.ts';
import {eventList, focusedPane, liveBees, subjectOf} from '../store/selectors.ts';
import {isList, type State, type TextId} from '../store/state.ts';
import {textRows} from '../store/texts.ts';
import {archivable, isFold} from '../store/trace-list.ts';
import {approve} from './approve.ts';
import {comment, dropComment} from './comment.ts';
import type {HandleContext} from './context.ts';
import {copyCommand, copyId} from './copy.ts';
import {accept, decline} from './invites.ts';
import {fileStep, hunkStep, searchStep} from './jump.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm} from './open-form.ts';
import {earlier} from './past.ts';
import {runRequest} from './requests.ts';
import {attach, chat, stop, talk} from './sessions.ts';

type Handler = (context: HandleContext) => void;

const sideStep = 8;
/** Ctrl+C within this many milliseconds of the last one ends at once. */
const interruptTime = 3000;

/** Rows a page key moves: what is on screen, less one to keep the place. */
const page = (state: State): number => Math.max(1, inside(areaOf(state, focusedPane(state))).height - 2);

const half = (state: State): number => Math.max(1, Math.floor(page(state) / 2));

/** Opens a dialog about the subject, when there is one. */
const aboutTask =
	(make: typeof retryForm): Handler =>
	context => {
		const state = context.store.getState();
		const {trace, task} = subjectOf(state);
		if (trace && task) openForm(context, make(context.world.now(), trace, task));
	};

const aboutTrace =
	(make: typeof killForm): Handler =>
	context => {
		const {trace} = subjectOf(context.store.getState());
		if (trace) openForm(context, make(context.world.now(), trace));
	};

/** With the comments of the review, where that is of the same task. */
const reject: Handler = context => {
	const state = context.store.getState();
	const {trace, task} = subjectOf(state);
	if (!trace || !task) return;
	const isReviewed = state.preview?.key.startsWith(`${queueKey({trace, task})}@`) === true;
	openForm(
		context,
		rejectForm(context.world.now(), trace, task, isReviewed ? commentsToSend(state) : noComments),
	);
};

const retry: Handler = context => {
	const {trace, task} = subjectOf(context.store.getState());
	if (!trace || !task) return;
	const form = retryForm(context.world.now(), trace, task);
	if (task.status !== 'failed' && !isPaused(task)) openForm(context, form);
	else void runRequest(context, {request: form.request, button: 'retry'});
};

/** It failed, or waits: nothing is given up by doing it again. */
const repeat: Handler = context => {
	const {run} = subjectOf(context.store.getState());
	if (run === undefined) return;
	const request = {action: 'bee.retry', input: {agentId: run.agentId}} as const;
	void runRequest(context, {request, button: 'retry'});
};

const cue: Handler = context => {
	const cues = context.world.cues();
	if (cues.length > 0) openForm(context, cueForm(context.world.now(), cues));
	else context.store.dispatch(say('This colony has no cues. They are files in .hive/cues/.', 'info'));
};

const quit: Handler = context => {
	const state = context.store.getState();
	if (state.underWay.length > 0)
		return context.store.dispatch(say('Quit when that is over; Ctrl+C twice leaves it as it is.', 'info'));
	const bees = liveBees(state);
	if (state.status.reactor === 'here' && bees > 0) openForm(context, quitForm(context.world.now(), bees));
	else context.finish({exitCode: exitCodes.done, bees: 'leave'});
};

const interrupt: Handler = context => {
	const {store, world, finish} = context;
	const now = world.now();
	if (now - store.getState().interruptedAt <= interruptTime)
		return finish({exitCode: exitCodes.interrupted, bees: 'leave'});
	store.dispatch(state => ({...state, interruptedAt: now}));
	quit(context);
};

const open: Handler = context => {
	const {store} = context;
	const state = store.getState();
	const pane = focusedPane(state);
	if ((pane === 'sessions' || pane === 'log') && talk(context)) return;
	if (pane === 'events') return openEvent(store.getState(), store);
	if (pane === 'sessions') return store.dispatch(focusPane('log'));
	if (pane === 'allRuns' || pane === 'runs') return showDetail(context);
	if (pane === 'traces') return store.dispatch(isFold(state) ? toggleFold : focusPane('tasks'));
	const {trace, task, invite} = subjectOf(state);
	if (invite && (pane === 'queue' || pane === 'diff')) return accept(context);
	if (pane === 'queue') return store.dispatch(focusPane('diff'));
	if (pane === 'tasks' && trace && task && awaitsPerson(task)) {
		store.dispatch(openTab('review'));
		return store.dispatch(select('queue', queueKey({trace, task})));
	}
	if (pane === 'tasks') showDetail(context);
};

/** Of what is selected: the task, the run, or the trace. */
const showDetail: Handler = ({store}) => {
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
	if (event) store.dispatch(setMode({kind: 'details', ...eventDetails(event), top: 0}));
};

/** One pane on the whole screen; of a session its program on the whole terminal. */
const zoom: Handler = context => {
	const state = context.store.getState();
	const isThere = state.tab === 'sessions' || focusedPane(state) === 'log';
	const session = isThere ? selectedSession(state) : undefined;
	if (session) void attach(context, session);
	else context.store.dispatch(toggleZoom);
};

/** Out of zoom, then the marks, the filter, then the pane before. */
const back: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	if (pane === 'diff' && state.review.from !== undefined) return store.dispatch(endRange);
	if (state.search && !isList(pane)) return store.dispatch(setFilter('text', ''));
	if (state.past) return store.dispatch(closePast);
	if (state.detail) return store.dispatch(closeDetail);
	if (state.zoomed) return store.dispatch(toggleZoom);
	if (isList(pane) && markedIds(state, pane).length > 0) return store.dispatch(setMarks(pane, new Set()));
	if (isList(pane) && state.filters[pane]) return store.dispatch(setFilter(pane, ''));
	if (pane === 'log' || pane === 'diff' || pane === 'tasks' || pane === 'runs') store.dispatch(focusNext(-1));
};

const filter: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	const list = isList(pane) ? pane : 'text';
	store.dispatch(setFilter(list, ''));
	store.dispatch(setMode({kind: 'filter', list}));
};

const pager: Handler = context => {
	const {store, world} = context;
	const state = store.getState();
	const pane = focusedPane(state);
	if (!isList(pane)) void lendTerminal(context, () => world.openPager(wholeText(state, pane)));
};

/** Unwrapped, and the patch as it is. */
const wholeText = (state: State, text: TextId): string =>
	text === 'diff' ? patchOf(state) : textRows({...state, wrap: false}, text).join('\n');

const patchOf = (state: State): string =>
	state.preview?.state === 'ready' ? (shownSince(state) ?? state.preview.preview).patch : '';

const mouse: Handler = ({store, screen}) => {
	store.dispatch(toggleMouse);
	const {mouse: isOn} = store.getState();
	screen.setMouse(isOn);
	store.dispatch(say(isOn ? 'Mouse on; hold Shift to select text.' : 'Mouse off.', 'info'));
};

const palette: Handler = ({store, world}) => {
	store.dispatch(setMode({kind: 'palette', text: '', selected: 0}));
	if (store.getState().commands.length === 0)
		void world.commands().then(commands => store.dispatch(tookCommands(commands)));
};

const change =
	(step: (state: State) => State): Handler =>
	({store}) =>
		store.dispatch(step);

/** Dialogs of their own; every other action of the table asks for the fields of its input. */
const dialogs: Readonly<Partial<Record<TableActionId, Handler>>> = {
	'proposal.approve': approve,
	'proposal.reject': reject,
	'invite.accept': accept,
	'invite.reject': decline,
	'task.retry': retry,
	'bee.retry': repeat,
	'task.cancel': aboutTask(cancelForm),
	'energy.add': aboutTrace(honeyForm),
	kill: aboutTrace(killForm),
	'cue.run': cue,
	'bee.chat': chat,
	'session.stop': stop,
};

const askFor =
	(id: TableActionId): Handler =>
	context => {
		const subject = subjectOf(context.store.getState());
		openForm(context, actionForm(context.world.now(), id, subject));
	};

/** Does what a key, or a row of the palette, stands for. */
export const perform = (action: ActionId, context: HandleContext): void =>
	isActionId(action) ? (dialogs[action] ?? askFor(action))(context) : handlers[action](context);

/** What each other action of the key table does: a key without a handler does not compile. */
const handlers: Readonly<Record<Exclude<ActionId, TableActionId>, Handler>> = {
	'move.up': change(move(-1)),
	'move.down': change(move(1)),
	'move.pageUp': change(state => move(-page(state))(state)),
	'move.pageDown': change(state => move(page(state))(state)),
	'move.halfUp': change(state => move(-half(state))(state)),
	'move.halfDown': change(state => move(half(state))(state)),
	'move.first': change(move(Number.NEGATIVE_INFINITY)),
	'move.last': change(move(Number.POSITIVE_INFINITY)),
	'move.left': change(scrollSideways(-sideStep)),
	'move.right': change(scrollSideways(sideStep)),
	'pane.next': change(focusNext(1)),
	'pane.previous': change(focusNext(-1)),
	'tab.traces': change(openTab('traces')),
	'tab.runs': change(openTab('runs')),
	'tab.review': change(openTab('review')),
	'tab.events': change(openTab('events')),
	'tab.sessions': change(openTab('sessions')),
	'tab.colony': change(openTab('colony')),
	'tab.next': change(tabNext(1)),
	'tab.previous': change(tabNext(-1)),
	mark: change(toggleMark),
	open,
	detail: showDetail,
	'past.earlier': context => void earlier(context),
	'past.later': change(stepPast(1)),
	'part.next': change(nextPart(1)),
	'part.previous': change(nextPart(-1)),
	back,
	leave: back,
	filter,
	'search.next': searchStep(1),
	'search.previous': searchStep(-1),
	sort: change(nextSort),
	unfold: change(toggleFold),
	fold: change(foldFinished),
	archive: change(state => archive(archivable(state))(state)),
	zoom,
	follow: change(followLog),
	wrap: change(toggleWrap),
	stream: change(toggleStream),
	pause: change(togglePause),
	comment,
	'comment.drop': dropComment,
	range: change(toggleRange),
	seen: change(toggleSeen),
	'diff.wrap': change(toggleWrap),
	'diff.whole': change(toggleWhole),
	'hunk.previous': hunkStep(-1),
	'hunk.next': hunkStep(1),
	'file.previous': fileStep(-1),
	'file.next': fileStep(1),
	pager,
	'copy.id': copyId,
	'copy.command': copyCommand,
	palette,
	help: change(setMode({kind: 'help', text: ''})),
	mouse,
	redraw: ({redraw}) => redraw(),
	suspend: ({suspend}) => suspend(),
	quit,
	interrupt,
};
