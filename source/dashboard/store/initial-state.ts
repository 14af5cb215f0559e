import {noMemory} from '../../host/review/review-memory.ts';
import {noClashes} from '../../host/views/clashes.ts';
import {emptyLog} from './log.ts';
import {reviewOf} from './review-state.ts';
import {atTop, browsing, type Size, type State, traceSorts} from './state.ts';

/** The state before anything is read. `now` is in milliseconds since 1970. */
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
	status: {reactor: 'starting', bus: {state: 'live'}, places: []},
	clashes: noClashes,
	sessions: [],
	activities: new Map(),
	isSuspended: false,
	selected: {},
	previousRows: {},
	awaited: {},
	marks: {},
	filters: {},
	search: '',
	sort: traceSorts[0],
	isExpanded: false,
	archived: new Set(),
	untaught: new Set(),
	scroll: {log: {...atTop, follow: true}, sheet: atTop, diff: atTop, colony: atTop, detail: atTop},
	wrap: false,
	review: reviewOf(noMemory),
	sheet: {of: '', cursor: 0, unfolded: new Set()},
	log: emptyLog(),
	commands: [],
	colony,
	mode: browsing,
	runningActions: [],
	notices: [],
	mouse: false,
	interruptedAt: 0,
});
