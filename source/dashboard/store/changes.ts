import type {TraceHistory} from '../../host/history.ts';
import type {ColonyStatus, SessionName, Survey, Update} from '../../host/live.ts';
import type {Remembered} from '../../host/remembered.ts';
import {noMemory} from '../../host/review-memory.ts';
import type {TimedText} from '../../host/run-log.ts';
import type {SessionView} from '../../host/sessions.ts';
import {type Clashes, noClashes} from '../../host/views/clashes.ts';
import type {DetailFacts, DetailTarget} from '../../host/views/detail/section.ts';
import type {Doings} from '../../host/views/doing.ts';
import type {Spent} from '../../host/views/today.ts';
import type {DetachKey} from '../../screen/detach-key.ts';
import type {Form} from '../forms/form.ts';
import {detailTabs, shownTab} from './detail.ts';
import {appendLog, emptyLog, type LogStream} from './log.ts';
import {cursorRow, diffRows} from './review.ts';
import {reviewOf} from './review-state.ts';
import {eventRows, focusedPane, lists} from './selectors.ts';
import {
	browsing,
	type DetailState,
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
	tabs,
	traceSorts,
	type WaitsState,
} from './state.ts';
import type {Change} from './store.ts';
import {firstAbove, firstRow, lastFirstRow} from './texts.ts';
import {foldId} from './trace-list.ts';

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
	clashes: noClashes,
	sessions: [],
	doings: new Map(),
	isLent: false,
	selected: {},
	marks: {},
	filters: {},
	search: '',
	sort: traceSorts[0],
	isUnfolded: false,
	archived: new Set(),
	scroll: {log: {...top, follow: true}, diff: top, colony: top, detail: top},
	wrap: false,
	review: reviewOf(noMemory),
	log: emptyLog(),
	commands: [],
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

export const tookSurvey =
	(survey: Survey): Change =>
	state => ({...state, survey});

export const tookClashes =
	(clashes: Clashes): Change =>
	state => ({...state, clashes});

/** Rows of the Colony tab, and what is wrong with the configuration: the first of it is told at once. */
export const tookColony =
	(colony: readonly string[], [first, ...more]: readonly string[]): Change =>
	state => {
		const shown = {...state, colony};
		if (first === undefined) return say('The configuration is read again.', 'info')(shown);
		return say(more.length === 0 ? first : `${first} (and ${more.length} more: see Colony)`, 'bad')(shown);
	};

/** Rows of the Colony tab, which has the link of the console since. */
export const tookConsole =
	(colony: readonly string[], url: string): Change =>
	state =>
		say(`The console listens at ${url}. The Colony tab has its link.`, 'info')({...state, colony});

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
					...(state.preview?.key === preview.key
						? {}
						: {
								scroll: {...state.scroll, diff: top},
								review: reviewOf(state.review),
							}),
				};

export const tookCommands =
	(commands: State['commands']): Change =>
	state => ({...state, commands});

export const tookSessions =
	(sessions: readonly SessionView[]): Change =>
	state => ({...state, sessions});

export const tookDoings =
	(doings: Doings): Change =>
	state => ({...state, doings});

export const tookSpent =
	(spent: Spent): Change =>
	state => ({...state, spent});

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
	state => ({...closePast(closeDetail(state)), tab, zoomed: false});

export const focusPane =
	(pane: PaneId): Change =>
	state =>
		tabPanes[state.tab].includes(pane) ? {...state, focus: {...state.focus, [state.tab]: pane}} : state;

export const tabNext =
	(step: 1 | -1): Change =>
	state =>
		openTab(tabs[(tabs.indexOf(state.tab) + step + tabs.length) % tabs.length] ?? state.tab)(state);

export const focusNext =
	(step: 1 | -1): Change =>
	state => {
		if (state.detail) return nextPart(step)(state);
		const panes = tabPanes[state.tab];
		const next = panes[(panes.indexOf(focusedPane(state)) + step + panes.length) % panes.length];
		return next === undefined ? state : focusPane(next)(state);
	};

export const select =
	(list: ListId, id: string): Change =>
	state => {
		const isAnother = list === 'traces' && state.past !== undefined && state.past.trace.traceId !== id;
		const shown = isAnother ? closePast(state) : state;
		return {...shown, selected: {...shown.selected, [list]: id}};
	};

export const setMarks =
	(list: ListId, marks: ReadonlySet<string>): Change =>
	state => ({...state, marks: {...state.marks, [list]: marks}});

/** A trace whose row is there, or comes: no filter hides it. */
export const selectTrace =
	(traceId: string): Change =>
	state =>
		select(
			'traces',
			traceId,
		)({
			...setFilter('traces', '')(state),
			focus: {...state.focus, traces: 'traces'},
		});

/** By rows; `Infinity` goes to the end. */
export const move =
	(rows: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (pane === 'diff') return moveCursor(cursorRow(state) + rows)(state);
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

/** To a row of the diff, which is scrolled as far as that takes. */
const moveCursor =
	(row: number): Change =>
	state => {
		const last = diffRows(state).length - 1;
		const cursor = Math.max(0, Math.min(last, row));
		const shown = Math.max(Math.min(firstRow(state, 'diff'), cursor), firstAbove(state, cursor));
		return withScroll({...state, review: {...state.review, cursor}}, 'diff', {
			...state.scroll.diff,
			top: shown,
		});
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
		withScroll(text === 'diff' ? {...state, review: {...state.review, cursor: row}} : state, text, {
			...state.scroll[text],
			top: Math.min(lastFirstRow(state, text), Math.max(0, row)),
			follow: false,
		});

export const scrollSideways =
	(columns: number): Change =>
	state => {
		const pane = focusedPane(state);
		if (isList(pane) || (state.wrap && (pane === 'log' || pane === 'diff'))) return state;
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
export const openDetail =
	(detail: DetailState): Change =>
	state => ({...state, detail, zoomed: false, scroll: {...state.scroll, detail: top}});

/** What the panes show of a run is its standard output. */
export const closeDetail: Change = state => {
	if (state.detail === undefined) return state;
	const {detail: _seen, ...rest} = state;
	return rest.log.stream === 'stdout' ? rest : toggleStream(rest);
};

/** One event back from now, or from where it is shown already. */
export const openPast =
	(traceId: string, history: TraceHistory): Change =>
	state =>
		state.past?.trace.traceId === traceId
			? stepPast(-1)(state)
			: select('traces', traceId)(pastAt(history, history.events.length - 2)({...state, tab: 'traces'}));

/** By events; behind the last one is now. */
export const stepPast =
	(events: number): Change =>
	state => {
		if (state.past === undefined) return state;
		const {history, position} = state.past;
		return position + events >= history.events.length - 1
			? closePast(state)
			: pastAt(history, position + events)(state);
	};

const pastAt =
	(history: TraceHistory, wanted: number): Change =>
	state => {
		const position = Math.max(0, wanted);
		return {...state, past: {history, position, trace: history.at(position)}};
	};

export const closePast: Change = state => {
	if (state.past === undefined) return state;
	const {past: _seen, ...rest} = state;
	return rest;
};

export const tookDetail =
	(target: DetailTarget, facts: DetailFacts): Change =>
	state =>
		state.detail && isSameTarget(state.detail, target) ? {...state, detail: {...state.detail, facts}} : state;

const isSameTarget = (one: DetailTarget, other: DetailTarget): boolean =>
	one.traceId === other.traceId && one.taskId === other.taskId && one.agentId === other.agentId;

/** The next part of what is looked at, around the end. */
export const nextPart =
	(step: 1 | -1): Change =>
	state => {
		const parts = detailTabs(state);
		const at = parts.findIndex(({id}) => id === shownTab(state));
		const next = parts[(at + step + parts.length) % parts.length];
		if (state.detail === undefined || next === undefined) return state;
		const shown = {
			...state,
			detail: {...state.detail, chosen: next.id},
			scroll: {...state.scroll, detail: top},
		};
		const isOutput = next.id === 'stdout' || next.id === 'stderr';
		return isOutput && next.id !== state.log.stream ? toggleStream(shown) : shown;
	};

export const toggleZoom: Change = state => ({...state, zoomed: !state.zoomed});
export const toggleWrap: Change = state => ({...state, wrap: !state.wrap});
export const toggleMouse: Change = state => ({...state, mouse: !state.mouse});
export const nextSort: Change = state => ({
	...state,
	sort: traceSorts[(traceSorts.indexOf(state.sort) + 1) % traceSorts.length] ?? traceSorts[0],
});

export const togglePause: Change = state => {
	if (!state.frozenEvents) return {...state, frozenEvents: eventRows(state), arrivedWhilePaused: 0};
	const {frozenEvents: _shown, ...rest} = state;
	return {...rest, arrivedWhilePaused: 0};
};

/** What was found stays selected when the filter goes. */
export const setFilter =
	(list: ListId | 'text', text: string): Change =>
	state => {
		if (list === 'text') return {...state, search: text};
		const found =
			text === '' && state.filters[list] ? lists[list].idAt(state, lists[list].position(state)) : undefined;
		const filtered = {...state, filters: {...state.filters, [list]: text}};
		return found === undefined ? filtered : select(list, found)(filtered);
	};

export const toggleFold: Change = state => ({...state, isUnfolded: !state.isUnfolded});

/** The row that stands for them is selected then, whichever of them was. */
export const foldFinished: Change = state => select('traces', foldId)({...state, isUnfolded: false});

/** Puts the traces away, or takes them back where all of them were. */
export const archive =
	(traceIds: readonly string[]): Change =>
	state => {
		const areAway = traceIds.every(traceId => state.archived.has(traceId));
		const others = [...state.archived].filter(traceId => !traceIds.includes(traceId));
		return {...state, archived: new Set(areAway ? others : [...others, ...traceIds])};
	};

/** What the dashboard knows of the last time it showed this colony. */
export const recalled =
	({sort, archived}: Remembered): Change =>
	state => ({
		...state,
		sort: traceSorts.find(name => name === sort) ?? state.sort,
		archived: new Set(archived),
	});

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
