import {exitCodes} from '../../domain/error-table.ts';
import {awaitsPerson, isPaused} from '../../domain/task.ts';
import {isActionId, type ActionId as TableActionId} from '../../host/actions/table.ts';
import {actionForm} from '../forms/action-form.ts';
import {cueForm, honeyForm, killForm, quitForm} from '../forms/make.ts';
import {cancelForm, rejectForm, retryForm} from '../forms/task.ts';
import type {ActionId} from '../keys/table.ts';
import {areaOf, inside} from '../layout.ts';
import {
	focusNext,
	focusPane,
	followLog,
	move,
	nextSort,
	openTab,
	say,
	scrollSideways,
	select,
	setFilter,
	setMode,
	toggleMouse,
	togglePause,
	toggleStream,
	toggleWrap,
	toggleZoom,
} from '../store/changes.ts';
import {eventDetails} from '../store/event-details.ts';
import {selectedSession} from '../store/program.ts';
import {queueKey} from '../store/queue.ts';
import {eventList, focusedPane, liveBees, subjectOf} from '../store/selectors.ts';
import {isList, type State, type TextId} from '../store/state.ts';
import {textRows} from '../store/texts.ts';
import {approve} from './approve.ts';
import type {HandleContext} from './context.ts';
import {copyCommand, copyId} from './copy.ts';
import {accept, decline} from './invites.ts';
import {markStep, searchStep} from './jump.ts';
import {lendTerminal} from './lend-terminal.ts';
import {openForm} from './open-form.ts';
import {runRequest} from './requests.ts';
import {attach, chat, stop, talk} from './sessions.ts';

type Handler = (context: HandleContext) => void;

const sideStep = 8;
/** Ctrl+C within this many milliseconds of the last one ends at once. */
const interruptTime = 3000;

/** Rows a page key moves: what is on screen, less one to keep the place. */
const page = (state: State): number => Math.max(1, inside(areaOf(state, focusedPane(state))).height - 2);

/** Opens a dialog about the subject, when there is one. */
const aboutTask =
	(make: typeof rejectForm): Handler =>
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
	if (pane === 'allRuns' || pane === 'runs' || pane === 'sessions') return store.dispatch(focusPane('log'));
	if (pane === 'traces') return store.dispatch(focusPane('tasks'));
	const {trace, task, invite} = subjectOf(state);
	if (invite && (pane === 'queue' || pane === 'diff')) return accept(context);
	if (pane === 'queue') return store.dispatch(focusPane('diff'));
	if (pane === 'tasks' && trace && task && awaitsPerson(task)) {
		store.dispatch(openTab('review'));
		return store.dispatch(select('queue', queueKey({trace, task})));
	}
	if (pane === 'tasks') store.dispatch(focusPane('runs'));
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

/** Out of zoom, then the filter, then the pane before. */
const back: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	if (state.zoomed) return store.dispatch(toggleZoom);
	if (isList(pane) && state.filters[pane]) return store.dispatch(setFilter(pane, ''));
	if (!isList(pane) && state.search) return store.dispatch(setFilter('text', ''));
	if (pane === 'log' || pane === 'diff' || pane === 'tasks' || pane === 'runs') store.dispatch(focusNext(-1));
};

const filter: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	const list = isList(pane) ? pane : 'text';
	const before = list === 'text' ? state.search : (state.filters[list] ?? '');
	store.dispatch(setMode({kind: 'filter', list, before}));
};

const pager: Handler = context => {
	const {store, world} = context;
	const state = store.getState();
	const pane = focusedPane(state);
	if (!isList(pane)) void lendTerminal(context, () => world.openPager(wholeText(state, pane)));
};

/** Unwrapped, and the patch as it is. */
const wholeText = (state: State, text: TextId): string =>
	text === 'diff' && state.preview?.state === 'ready'
		? state.preview.preview.patch
		: textRows({...state, wrap: false}, text).join('\n');

const mouse: Handler = ({store, screen}) => {
	store.dispatch(toggleMouse);
	const {mouse: isOn} = store.getState();
	screen.setMouse(isOn);
	store.dispatch(say(isOn ? 'Mouse on; hold Shift to select text.' : 'Mouse off.', 'info'));
};

const change =
	(step: (state: State) => State): Handler =>
	({store}) =>
		store.dispatch(step);

/** Dialogs of their own; every other action of the table asks for the fields of its input. */
const dialogs: Readonly<Partial<Record<TableActionId, Handler>>> = {
	'proposal.approve': approve,
	'proposal.reject': aboutTask(rejectForm),
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
	open,
	back,
	filter,
	'search.next': searchStep(1),
	'search.previous': searchStep(-1),
	sort: change(nextSort),
	zoom,
	follow: change(followLog),
	wrap: change(toggleWrap),
	stream: change(toggleStream),
	pause: change(togglePause),
	'hunk.previous': markStep('hunks', -1),
	'hunk.next': markStep('hunks', 1),
	'file.previous': markStep('files', -1),
	'file.next': markStep('files', 1),
	pager,
	'copy.id': copyId,
	'copy.command': copyCommand,
	palette: change(setMode({kind: 'palette', text: '', selected: 0})),
	help: change(setMode({kind: 'help'})),
	mouse,
	redraw: ({redraw}) => redraw(),
	suspend: ({suspend}) => suspend(),
	quit,
	interrupt,
};
