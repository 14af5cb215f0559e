import {detailPane} from './detail.ts';
import {memoized, perObject} from './memo.ts';
import {type PaneId, type Size, type State, type Tab, tabPanes} from './state.ts';

/** Columns and rows of a pane, borders included. */
export type Area = {readonly width: number; readonly height: number};

/** From this width on lists show ids, dim and last. */
export const idsFrom = 100;

/** Columns and rows inside the borders of a pane. */
export const inside = ({width, height}: Area): Area => ({
	width: Math.max(0, width - 2),
	height: Math.max(0, height - 2),
});

type Placed = {readonly pane: PaneId; readonly area: Area};

/** How much fits: four panes, two panes and a log line, one list, nothing. */
type Room = 'wide' | 'medium' | 'small' | 'none';

/** Bands from top to bottom, each with panes from left to right. */
export type Layout = {
	readonly room: Room;
	readonly bands: readonly (readonly Placed[])[];
	/** The last line of the selected run, where its log has no pane. */
	readonly logLine: boolean;
};

/** Header, tabs, notices and keys. */
const furniture = 4;

const roomOf = ({columns, rows}: Size): Room => {
	if (columns < 60 || rows < 15) return 'none';
	if (columns < 80 || rows < 24) return 'small';
	return columns >= 120 && rows >= 30 ? 'wide' : 'medium';
};

/** Rows that may be drawn: all but the last one of the terminal. */
export const drawnRows = ({rows}: Size): number => Math.max(1, rows - 1);

/** Where each pane is. Never taller than the rows that may be drawn. */
export const layoutOf = (state: State): Layout => {
	const {size, tab, focus, zoomed} = state;
	const detail = detailPane(state);
	return detail === undefined ? layouts(size)(tab, focus[tab], zoomed) : detailLayouts(size)(detail);
};

/** Everything below the names of its parts. */
const detailLayouts = perObject((size: Size) =>
	memoized((pane: PaneId): Layout => {
		const room = roomOf(size);
		const area = {width: size.columns, height: drawnRows(size) - furniture - 1};
		return {room, bands: room === 'none' ? [] : [[{pane, area}]], logLine: false};
	}),
);

/** By the terminal: two dashboards of one process do not take turns in what is remembered. */
const layouts = perObject((size: Size) =>
	memoized((tab: Tab, pane: PaneId, zoomed: boolean): Layout => layoutFor(size, tab, pane, zoomed)),
);

const layoutFor = (size: Size, tab: Tab, pane: PaneId, zoomed: boolean): Layout => {
	const room = roomOf(size);
	if (room === 'none') return {room, bands: [], logLine: false};
	const height = drawnRows(size) - furniture;
	const whole = {width: size.columns, height};
	if (zoomed || room === 'small' || tabPanes[tab].length === 1)
		return {room, bands: [[{pane, area: whole}]], logLine: false};
	return room === 'wide' ? wide(tab, whole) : medium(tab, pane, whole);
};

const wide = (tab: Tab, {width, height}: Area): Layout => {
	const upper = Math.ceil(height * 0.53);
	// A row has room for what its run is at, and the log for long lines.
	if (tab === 'runs')
		return {room: 'wide', bands: stacked('allRuns', 'log', {width, height}, upper), logLine: false};
	if (tab !== 'traces') return {room: 'wide', bands: [sideBySide(tab, width, height)], logLine: false};
	return {
		room: 'wide',
		bands: [
			beside('traces', 'tasks', {width, height: upper}, tracesWidth(width)),
			beside('runs', 'log', {width, height: height - upper}, Math.max(51, Math.floor(width * 0.36))),
		],
		logLine: false,
	};
};

/** On a screen that has room for it, enough for a trace in one row. */
const tracesWidth = (width: number): number =>
	width < 180 ? Math.max(41, Math.floor(width * 0.28)) : Math.floor(width * 0.4);

const medium = (tab: Tab, pane: PaneId, {width, height}: Area): Layout => {
	const [first, second] = tabPanes[tab];
	if (tab !== 'traces' && first && second) {
		const upper = Math.min(8, Math.floor(height / 3));
		return {room: 'medium', bands: stacked(first, second, {width, height}, upper), logLine: false};
	}
	const hasLogLine = pane === 'traces' || pane === 'tasks';
	const rest = {width, height: hasLogLine ? height - 1 : height};
	const upper = Math.min(8, Math.floor(height * 0.4));
	return hasLogLine
		? {room: 'medium', bands: stacked('traces', 'tasks', rest, upper), logLine: true}
		: {room: 'medium', bands: stacked('runs', 'log', rest, upper), logLine: false};
};

/** The least that the screen of a session gets, borders included. */
const programWidth = 82;

/**
 * The widest the review queue gets: the diff needs the rest; on a screen that has room for it, enough for two
 * names in a row.
 */
const queueWidth = 64;
const wideQueue = 90;
const sessionsWidth = 50;

const sideBySide = (tab: Tab, width: number, height: number): readonly Placed[] => {
	const [first, second] = tabPanes[tab];
	return first && second ? beside(first, second, {width, height}, leftWidth(tab, width)) : [];
};

const leftWidth = (tab: Tab, width: number): number => {
	if (tab === 'sessions') return Math.min(sessionsWidth, width - programWidth);
	return Math.min(width < 180 ? queueWidth : wideQueue, Math.floor(width * (width < 180 ? 0.4 : 0.45)));
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

/** Columns of a dialog, borders included. */
export const dialogWidth = ({columns}: Size): number => Math.min(widestDialog, columns - 4);
const widestDialog = 70;

/** Columns of a field in it. */
export const fieldWidth = (size: Size): number => dialogWidth(size) - 4;

/** Area of a pane that is on screen. */
export const areaOf = (state: State, pane: PaneId): Area =>
	layoutOf(state)
		.bands.flat()
		.find(placed => placed.pane === pane)?.area ?? {width: state.size.columns, height: drawnRows(state.size)};
