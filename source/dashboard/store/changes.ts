import type {ColonyStatus, SessionName, Update} from '../../host/live.ts';
import type {TimedText} from '../../host/run-log.ts';
import type {SessionView} from '../../host/sessions.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import type {Form} from '../forms/form.ts';
import {appendLog, emptyLog, type LogStream} from './log.ts';
import {eventRows, focusedPane, lists} from './selectors.ts';
import {
	browsing,
	eventRing,
	isList,
	type ListId,
	type Mode,
	noticeRing,
	type PaneId,
	type PreviewState,
	type ProgramScreen,
	type Scroll,
	type Size,
	type State,
	type Tab,
	type TextId,
	type Toast,
	tabPanes,
	traceSorts,
	type WaitsState,
} from './state.ts';
import type {Change} from './store.ts';
import {lastFirstRow} from './texts.ts';

const top: Scroll = {top: 0, left: 0, follow: false};
const toastTime = 5000;

export const initialState = (size: Size, now: number, colony: readonly string[] = []): State => ({
	size,
	now,
	tab: 'traces',
	focus: {
		traces: 'traces',
		runs: 'allRuns',
		review: 'queue',
		events: 'events',
		sessions: 'sessions',
		colony: 'colony',
	},
	zoomed: false,
	loaded: false,
	traces: new Map(),
	events: [],
	arrivedWhilePaused: 0,
	status: {reactor: 'none', bus: {state: 'live'}, places: []},
	sessions: [],
	isLent: false,
	selected: {},
	filters: {},
	search: '',
	sort: 'newest',
	scroll: {log: {...top, follow: true}, diff: top, colony: top},
	wrap: false,
	log: emptyLog(),
	colony,
	mode: browsing,
	underWay: [],
	notices: [],
	mouse: false,
	interruptedAt: 0,
});

/** What the outside world says. */
export const tookUpdate =
	({traces, events}: Update): Change =>
	state => ({
		...state,
		loaded: true,
		traces,
		events: events.length === 0 ? state.events : state.events.concat(events).slice(-eventRing),
		arrivedWhilePaused: state.frozenEvents ? state.arrivedWhilePaused + events.length : 0,
	});

export const tookStatus =
	(status: ColonyStatus): Change =>
	state => ({...state, status});

/** Rows of the Colony tab, and what is wrong with the configuration: the first of it is told at once. */
export const tookColony =
	(colony: readonly string[], [first, ...more]: readonly string[]): Change =>
	state => {
		const shown = {...state, colony};
		if (first === undefined) return say('The configuration is read again.', 'info')(shown);
		return say(more.length === 0 ? first : `${first} (and ${more.length} more: see Colony)`, 'bad')(shown);
	};

export const startedLog =
	(traceId: string, agentId: string, stream: LogStream): Change =>
	state => ({
		...state,
		log: emptyLog(traceId, agentId, stream),
		scroll: {...state.scroll, log: {...top, follow: true}},
	});

/** The other output of the same run. */
export const toggleStream: Change = state => {
	const {traceId, agentId, stream} = state.log;
	return startedLog(traceId, agentId, stream === 'stdout' ? 'stderr' : 'stdout')(state);
};

export const tookLog =
	(agentId: string, stream: LogStream, parts: readonly TimedText[]): Change =>
	state =>
		state.log.agentId === agentId && state.log.stream === stream
			? {...state, log: appendLog(state.log, parts)}
			: state;

export const tookPreview =
	(preview: PreviewState): Change =>
	state =>
		preview.state !== 'loading' && state.preview?.key !== preview.key
			? state
			: {
					...state,
					preview,
					scroll: state.preview?.key === preview.key ? state.scroll : {...state.scroll, diff: top},
				};

export const tookSessions =
	(sessions: readonly SessionView[]): Change =>
	state => ({...state, sessions});

export const tookProgram =
	(program: ProgramScreen): Change =>
	state => ({...state, program});

export const lent =
	(isLent: boolean): Change =>
	state => ({...state, isLent});

export const tookWaits =
	(waits: WaitsState): Change =>
	state => ({...state, waits});

export const ticked =
	(now: number): Change =>
	state => ({...withoutOldToast(state, now), now});

const withoutOldToast = (state: State, now: number): State => {
	if (state.toast?.until === undefined || state.toast.until > now) return state;
	const {toast: _gone, ...rest} = state;
	return rest;
};

export const resized =
	(size: Size): Change =>
	state => ({...state, size});

/** Moving about. */
export const openTab =
	(tab: Tab): Change =>
	state => ({...state, tab, zoomed: false});

export const focusPane =
	(pane: PaneId): Change =>
	state =>
		tabPanes[state.tab].includes(pane) ? {...state, focus: {...state.focus, [state.tab]: pane}} : state;

export const focusNext =
	(step: 1 | -1): Change =>
	state => {
		const panes = tabPanes[state.tab];
		const next = panes[(panes.indexOf(focusedPane(state)) + step + panes.length) % panes.length];
		return next === undefined ? state : focusPane(next)(state);
	};

export const select =
	(list: ListId, id: string): Change =>
	state => ({...state, selected: {...state.selected, [list]: id}});

/** By rows; `Infinity` goes to the end. */
export const move =
	(rows: number): Change =>
	state => {
		const pane = focusedPane(state);
		return isList(pane) ? moveSelection(pane, rows)(state) : scrollBy(pane, rows)(state);
	};

const moveSelection =
	(list: ListId, rows: number): Change =>
	state => {
		const {rows: rowsOf, position, idAt} = lists[list];
		const last = rowsOf(state).length - 1;
		const id = idAt(state, Math.min(last, Math.max(0, position(state) + rows)));
		return id === undefined ? state : select(list, id)(state);
	};

/** Scrolling up lets go of the end of the log; reaching the end holds it again. */
const scrollBy =
	(text: TextId, rows: number): Change =>
	state => {
		const last = lastFirstRow(state, text);
		const now = state.scroll[text];
		const from = now.follow ? last : Math.min(now.top, last);
		const to = Math.min(last, Math.max(0, from + rows));
		return withScroll(state, text, {...now, top: to, follow: text === 'log' && to === last && rows > 0});
	};

export const scrollTo =
	(text: TextId, row: number): Change =>
	state =>
		withScroll(state, text, {
			...state.scroll[text],
			top: Math.min(lastFirstRow(state, text), Math.max(0, row)),
			follow: false,
		});

export const scrollSideways =
	(columns: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (isList(pane)) return state;
		const now = state.scroll[pane];
		return withScroll(state, pane, {...now, left: Math.max(0, now.left + columns)});
	};

export const followLog: Change = state =>
	withScroll(state, 'log', {
		...state.scroll.log,
		follow: !state.scroll.log.follow,
		top: lastFirstRow(state, 'log'),
	});

const withScroll = (state: State, text: TextId, scroll: Scroll): State => ({
	...state,
	scroll: {...state.scroll, [text]: scroll},
});

/** Looking at things. */
export const toggleZoom: Change = state => ({...state, zoomed: !state.zoomed});
export const toggleWrap: Change = state => ({...state, wrap: !state.wrap});
export const toggleMouse: Change = state => ({...state, mouse: !state.mouse});
export const nextSort: Change = state => ({
	...state,
	sort: traceSorts[(traceSorts.indexOf(state.sort) + 1) % traceSorts.length] ?? 'newest',
});

export const togglePause: Change = state => {
	if (!state.frozenEvents) return {...state, frozenEvents: eventRows(state), arrivedWhilePaused: 0};
	const {frozenEvents: _shown, ...rest} = state;
	return {...rest, arrivedWhilePaused: 0};
};

export const setFilter =
	(list: ListId | 'text', text: string): Change =>
	state =>
		list === 'text' ? {...state, search: text} : {...state, filters: {...state.filters, [list]: text}};

/** Dialogs, overlays, notices. */
export const setMode =
	(mode: Mode): Change =>
	state => ({...state, mode});

/** Shows the screen of a session. */
export const openSession =
	({sessionId}: SessionName): Change =>
	state =>
		[openTab('sessions'), setFilter('sessions', ''), select('sessions', sessionId), focusPane('log')].reduce(
			(next, change) => change(next),
			state,
		);

/** Gives the keyboard to a session, in the pane that shows its screen, until that key. */
export const talkWith =
	(session: SessionName, detachKey: DetachKey): Change =>
	state =>
		setMode({kind: 'talk', session, detachKey})(openSession(session)(state));

/** Changes the open form; nothing when another one, or none, is open. */
export const changeForm =
	(openedAt: number, change: (form: Form) => Form): Change =>
	state =>
		state.mode.kind === 'form' && state.mode.form.openedAt === openedAt
			? {...state, mode: {kind: 'form', form: change(state.mode.form)}}
			: state;

/** A person asked for something that takes its time. */
export const began =
	(what: string): Change =>
	state => ({...state, underWay: [...state.underWay, what]});

export const ended =
	(what: string): Change =>
	state => ({...state, underWay: state.underWay.toSpliced(state.underWay.indexOf(what), 1)});

export const say =
	(text: string, tone: Toast['tone']): Change =>
	state => {
		const number = (state.notices.at(-1)?.number ?? 0) + 1;
		const notice = {number, at: new Date(state.now).toISOString(), text, tone};
		return {
			...state,
			toast: tone === 'bad' ? {text, tone} : {text, tone, until: state.now + toastTime},
			notices: [...state.notices, notice].slice(-noticeRing),
		};
	};

/** An error was read when the next key is pressed. */
export const readToast: Change = state => {
	if (!state.toast || state.toast.until !== undefined) return state;
	const {toast: _read, ...rest} = state;
	return rest;
};
