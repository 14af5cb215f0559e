import {detailPane} from './detail.ts';
import {memoized, perObject} from './memo.ts';
import {queueList} from './queue.ts';
import {besideDiffFrom} from './review.ts';
import {focusedPane, hasReview, isSheetFirst, type LowerPanes, lowerPanes, shownPlan} from './selectors.ts';
import {rowsOfSheet} from './sheet.ts';
import {type PaneId, type Size, type State, type Tab, tabPanes} from './state.ts';
import {type TraceListRow, traceList} from './trace-list.ts';
import {minRowsPerHeading} from './trace-window.ts';

/** Columns and rows of a pane, including its border. */
export type Area = {readonly width: number; readonly height: number};

/** From this width, lists show dim ids in the last column. */
export const idsFrom = 100;

/** Columns and rows inside the border of a pane. */
export const inside = ({width, height}: Area): Area => ({
	width: Math.max(0, width - 2),
	height: Math.max(0, height - 2),
});

type Placed = {
	readonly pane: PaneId;
	readonly area: Area;
	/** Set if it is below the pane before it in its band, not beside it. */
	readonly isBelow?: true;
};

/** How much fits on the screen: four panes; two panes and a log line; one list; nothing. */
type Room = 'wide' | 'medium' | 'small' | 'none';

/** Bands from top to bottom, each with panes from left to right. */
export type Layout = {
	readonly room: Room;
	readonly bands: readonly (readonly Placed[])[];
	/** True if the last log line of the selected run is shown, because its log has no pane. */
	readonly logLine: boolean;
};

/** Rows of header, tabs, notices and footer. */
const chromeRows = 4;

const roomFor = ({columns, rows}: Size): Room => {
	if (columns < 60 || rows < 15) return 'none';
	if (columns < 80 || rows < 24) return 'small';
	return columns >= 120 && rows >= 30 ? 'wide' : 'medium';
};

/** Rows that may be drawn: all but the last one of the terminal. */
export const drawnRows = ({rows}: Size): number => Math.max(1, rows - 1);

/** The area of each pane. Never taller than the rows that may be drawn. */
export const layoutOf = (state: State): Layout => {
	const {size, tab, zoomed} = state;
	if (state.live) return liveLayouts(size);
	const detail = detailPane(state);
	if (detail !== undefined) return detailLayouts(size)(detail);
	const pane = focusedPane(state);
	if (tab === 'traces')
		return layouts(size)(tab, pane, zoomed, lowerPanes(state), isSheetFirst(state), listHeight(state));
	if (tab === 'review' && !zoomed && hasReview(state)) {
		const room = roomFor(size);
		if (room === 'medium' || isBesideDiff(size))
			return sheetLayouts(size)(pane, queueList.rows(state).length);
		if (room === 'wide')
			return sheetLayouts(size)(pane, rowsOfSheet(state, sheetAboveDiff(size), 'above diff').length);
	}
	if (tab === 'review' && !zoomed && hasPanesBeside(size) && shownPlan(state) !== undefined)
		return planLayouts(size)(queueList.rows(state).length);
	return layouts(size)(tab, pane, zoomed, 'runs and log', false, 0);
};

const hasPanesBeside = (size: Size): boolean => roomFor(size) === 'wide' || roomFor(size) === 'medium';

/** The Review tab with a plan: its sheet has the room of the diff. `rows` are those of the queue. */
const planLayouts = perObject((size: Size) =>
	memoized((rows: number): Layout => {
		const room = roomFor(size);
		const whole = {width: size.columns, height: drawnRows(size) - chromeRows};
		if (room === 'wide')
			return {
				room,
				bands: [beside('queue', 'sheet', whole, leftWidth('review', size.columns))],
				logLine: false,
			};
		const upper = Math.min(rows + 2, 8, Math.floor(whole.height / 3));
		return {room, bands: stacked('queue', 'sheet', whole, upper), logLine: false};
	}),
);

/** The live diff has the whole screen. */
const liveLayouts = perObject((size: Size): Layout => {
	const room = roomFor(size);
	const area = {width: size.columns, height: drawnRows(size) - chromeRows};
	return {room, bands: room === 'none' ? [] : [[{pane: 'diff', area}]], logLine: false};
});

/** Room for the rows of the shown sheet. Its first column is for the cursor. */
export const sheetRoom = (state: State): Area => {
	if (state.tab === 'review' && !isBesideDiff(state.size) && areBothShown(state, 'sheet', 'diff'))
		return sheetAboveDiff(state.size);
	const {width, height} = inside(areaOf(state, 'sheet'));
	return {width: width - 1, height};
};

/** The share of the queue and the sheet in the columns. */
const besideDiffShare = 0.43;

export const isBesideDiff = (size: Size): boolean =>
	size.columns >= besideDiffFrom && roomFor(size) === 'wide';

/** Room for the rows of a sheet above a diff, at most. */
const sheetAboveDiff = (size: Size): Area => {
	const {width, height} = inside({width: besideQueue(size), height: maxSheetHeight(size)});
	return {width: width - 1, height};
};

const besideQueue = ({columns}: Size): number => columns - leftWidth('review', columns);

/** Min rows of the diff below a sheet, including the border. */
const minDiffRows = 10;

const maxSheetHeight = (size: Size): number => {
	const height = drawnRows(size) - chromeRows;
	return Math.max(Math.floor(height / 2), height - minDiffRows);
};

/**
 * The Review tab with a sheet. On a very wide screen the sheet is beside the diff, below a queue as high as
 * its content. On a wide one it is above the diff, as high as its content if there is room. On a smaller one
 * the sheet and the diff take turns, below the queue.
 *
 * `rows` are those of the sheet if it is above the diff, else those of the queue.
 */
const sheetLayouts = perObject((size: Size) =>
	memoized((pane: PaneId, rows: number): Layout => {
		const room = roomFor(size);
		const [width, height] = [size.columns, drawnRows(size) - chromeRows];
		if (room === 'medium') {
			const upper = Math.min(rows + 2, 8, Math.floor(height / 3));
			const below = pane === 'diff' ? 'diff' : 'sheet';
			return {room, bands: stacked('queue', below, {width, height}, upper), logLine: false};
		}
		if (isBesideDiff(size)) {
			const left = Math.floor(width * besideDiffShare);
			const upper = Math.min(rows + 2, Math.floor(height / 3));
			return {
				room,
				bands: [
					[
						{pane: 'queue', area: {width: left, height: upper}},
						{pane: 'sheet', area: {width: left, height: height - upper}, isBelow: true},
						{pane: 'diff', area: {width: width - left, height}},
					],
				],
				logLine: false,
			};
		}
		const sheet = Math.min(rows + 2, maxSheetHeight(size));
		const right = besideQueue(size);
		return {
			room,
			bands: [
				[
					{pane: 'queue', area: {width: width - right, height}},
					{pane: 'sheet', area: {width: right, height: sheet}},
					{pane: 'diff', area: {width: right, height: height - sheet}, isBelow: true},
				],
			],
			logLine: false,
		};
	}),
);

/** Uses all rows below the tabs of the detail. */
const detailLayouts = perObject((size: Size) =>
	memoized((pane: PaneId): Layout => {
		const room = roomFor(size);
		const area = {width: size.columns, height: drawnRows(size) - chromeRows - 1};
		return {room, bands: room === 'none' ? [] : [[{pane, area}]], logLine: false};
	}),
);

/** One cache per terminal size, so that two dashboards in one process do not evict each other's entries. */
const layouts = perObject((size: Size) =>
	memoized(
		(
			tab: Tab,
			pane: PaneId,
			zoomed: boolean,
			lower: LowerPanes,
			isSheetFirst: boolean,
			upper: number,
		): Layout => layoutFor(size, {tab, pane, zoomed, lower, isSheetFirst, upper}),
	),
);

type Shown = {
	readonly tab: Tab;
	/** The pane with the focus. */
	readonly pane: PaneId;
	readonly zoomed: boolean;
	/** Of the traces tab. */
	readonly lower: LowerPanes;
	/** True if the sheet takes the place of the tasks where there is room for one of them. */
	readonly isSheetFirst: boolean;
	/** Rows of the lists of the traces tab, with their border: on a smaller screen of the traces alone. */
	readonly upper: number;
};

const minListHeight = 9;

/**
 * Rows of the lists of traces and tasks, with their border: what they need, up to a share of the screen. It
 * does not depend on the selection, so nothing moves with it.
 */
const listHeight = (state: State): number => {
	const height = drawnRows(state.size) - chromeRows;
	if (roomFor(state.size) === 'medium') {
		const {length} = traceList.rows(state);
		return Math.min(8, Math.floor((height - 1) * 0.4), length === 0 ? Infinity : length + 3);
	}
	// What the selection is about has more rows than the lists.
	const most = Math.ceil(height * 0.42);
	return Math.min(most, Math.max(minListHeight, neededRows(traceList.rows(state)) + 2));
};

/** Rows of the list of traces, and of the longest list of tasks, each with its head. */
const neededRows = perObject((rows: readonly TraceListRow[]): number => {
	const traces = rows.flatMap(row => (row.trace === undefined ? [] : [row]));
	const headings = new Set(traces.map(({section}) => section)).size;
	const tasks = traces.reduce(
		(most, {trace, isFinished}) => (isFinished ? most : Math.max(most, trace.tasks.size)),
		0,
	);
	return 1 + Math.max(rows.length + headings, minRowsPerHeading * headings, tasks);
});

const layoutFor = (size: Size, {tab, pane, zoomed, lower, isSheetFirst, upper}: Shown): Layout => {
	const room = roomFor(size);
	if (room === 'none') return {room, bands: [], logLine: false};
	const height = drawnRows(size) - chromeRows;
	const whole = {width: size.columns, height};
	if (zoomed || room === 'small' || tabPanes[tab].length === 1)
		return {room, bands: [[{pane, area: whole}]], logLine: false};
	const besideRuns = lower === 'sheet or log' && pane !== 'runs' && pane !== 'log' ? 'sheet' : 'log';
	return room === 'wide'
		? wide({tab, lower, upper}, whole, besideRuns)
		: medium({tab, pane, lower, isSheetFirst, upper}, whole);
};

const wide = (
	{tab, lower, upper}: Pick<Shown, 'tab' | 'lower' | 'upper'>,
	{width, height}: Area,
	besideRuns: 'log' | 'sheet',
): Layout => {
	// Stacked: rows get room for the current step, and the log for long lines.
	if (tab === 'runs') {
		const bands = stacked('allRuns', 'log', {width, height}, Math.ceil(height * 0.53));
		return {room: 'wide', bands, logLine: false};
	}
	if (tab !== 'traces') return {room: 'wide', bands: [sideBySide(tab, width, height)], logLine: false};
	if (lower === 'sheet alone') {
		const band = beside('traces', 'sheet', {width, height}, tracesWidth(width));
		return {room: 'wide', bands: [band], logLine: false};
	}
	return {
		room: 'wide',
		bands: [
			beside('traces', 'tasks', {width, height: upper}, tracesWidth(width)),
			lower === 'sheet'
				? [{pane: 'sheet', area: {width, height: height - upper}}]
				: beside('runs', besideRuns, {width, height: height - upper}, Math.max(51, Math.floor(width * 0.36))),
		],
		logLine: false,
	};
};

/** Enough columns for a trace in one row. */
const tracesWidth = (width: number): number => Math.floor(width * 0.4);

const medium = (
	{tab, pane, lower, isSheetFirst, upper: listRows}: Omit<Shown, 'zoomed'>,
	{width, height}: Area,
): Layout => {
	const [first, second] = outerPanes(tab);
	if (tab !== 'traces' && first && second) {
		const upper = Math.min(8, Math.floor(height / 3));
		return {room: 'medium', bands: stacked(first, second, {width, height}, upper), logLine: false};
	}
	const isSheetShown = lower === 'sheet alone' || pane === 'sheet' || (pane === 'traces' && isSheetFirst);
	if (isSheetShown) {
		const bands = stacked('traces', 'sheet', {width, height}, listRows);
		return {room: 'medium', bands, logLine: false};
	}
	const hasLogLine = pane === 'traces' || pane === 'tasks';
	const rest = {width, height: hasLogLine ? height - 1 : height};
	const upper = Math.min(8, Math.floor(height * 0.4));
	return hasLogLine
		? {room: 'medium', bands: stacked('traces', 'tasks', rest, listRows), logLine: true}
		: {
				room: 'medium',
				bands: stacked('runs', 'log', rest, upper),
				logLine: false,
			};
};

/** Min columns of a session's screen, including the border. */
const programWidth = 82;

/** Max columns of the review queue, since the sheet and the diff need the rest. */
const queueWidth = 64;
const sessionsWidth = 50;

const sideBySide = (tab: Tab, width: number, height: number): readonly Placed[] => {
	const [first, second] = outerPanes(tab);
	return first && second ? beside(first, second, {width, height}, leftWidth(tab, width)) : [];
};

/** The two panes of a tab that has no sheet at the moment. */
const outerPanes = (tab: Tab): readonly PaneId[] => tabPanes[tab].filter(pane => pane !== 'sheet');

const leftWidth = (tab: Tab, width: number): number => {
	if (tab === 'sessions') return Math.min(sessionsWidth, width - programWidth);
	return Math.min(queueWidth, Math.floor(width * 0.3));
};

const beside = (left: PaneId, right: PaneId, {width, height}: Area, leftWidth: number): readonly Placed[] => [
	{pane: left, area: {width: leftWidth, height}},
	{pane: right, area: {width: width - leftWidth, height}},
];

const stacked = (
	above: PaneId,
	below: PaneId,
	{width, height}: Area,
	upper: number,
): readonly (readonly Placed[])[] => [
	[{pane: above, area: {width, height: upper}}],
	[{pane: below, area: {width, height: height - upper}}],
];

/** Columns of a dialog, including the border. */
export const dialogWidth = ({columns}: Size): number => Math.min(maxDialogWidth, columns - 4);
const maxDialogWidth = 70;

/** Columns of a field in a dialog. */
export const fieldWidth = (size: Size): number => dialogWidth(size) - 4;

/** True if both panes are on the screen. */
export const areBothShown = (state: State, one: PaneId, other: PaneId): boolean => {
	const shown = layoutOf(state)
		.bands.flat()
		.map(({pane}) => pane);
	return shown.includes(one) && shown.includes(other);
};

/** Area of a pane on the screen. */
export const areaOf = (state: State, pane: PaneId): Area =>
	layoutOf(state)
		.bands.flat()
		.find(placed => placed.pane === pane)?.area ?? {width: state.size.columns, height: drawnRows(state.size)};
