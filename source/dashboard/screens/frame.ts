import {drawnRows, type Layout, layoutOf, type Placed} from '../layout.ts';
import {type Area, framePane, type PaneView} from '../parts/frame.ts';
import {blank, fillLine, type Line, line, lineWidth, overlay} from '../parts/line.ts';
import {focusedPane} from '../store/selectors.ts';
import type {PaneId, State} from '../store/state.ts';
import type {Header} from '../world.ts';
import {colonyPane} from './colony.ts';
import {eventsPane} from './events.ts';
import {footerRow, headerRow, noticeRows, tabRow} from './furniture.ts';
import {lastLogLine, logPane} from './log.ts';
import {overlayRows} from './overlays.ts';
import {diffPane, queuePane} from './review.ts';
import {allRunsPane, runsPane} from './runs.ts';
import {tasksPane, tracesPane} from './traces.ts';

type PaneRenderer = (state: State, area: Area) => PaneView;

const panes: Readonly<Record<PaneId, PaneRenderer>> = {
	traces: tracesPane,
	tasks: tasksPane,
	runs: runsPane,
	log: logPane,
	allRuns: allRunsPane,
	queue: queuePane,
	diff: diffPane,
	events: eventsPane,
	colony: colonyPane,
};

/** The whole screen as rows: all but the last row of the terminal, each as wide as it. */
export const renderFrame = (state: State, header: Header): readonly Line[] => {
	const layout = layoutOf(state);
	const {columns} = state.size;
	const rows = layout.room === 'none' ? tooSmall(state) : screenRows(state, layout, header);
	const whole = Array.from({length: drawnRows(state.size)}, (_, index) =>
		fillLine(rows[index] ?? blank, columns),
	);
	return layout.room === 'none' ? whole : withOverlay(state, whole);
};

const screenRows = (state: State, layout: Layout, header: Header): readonly Line[] => {
	const focused = focusedPane(state);
	const bands = layout.bands.flatMap(band =>
		sideBySide(band, ({pane, area}) => framePane(panes[pane](state, area), area, pane === focused)),
	);
	const above = [
		headerRow(state, header, layout.room),
		tabRow(state, layout.room),
		...bands,
		...(layout.logLine ? [lastLogLine(state)] : []),
	];
	// Notices have one row of their own; longer ones cover the panes while they are there.
	const notices = noticeRows(state);
	return [
		...above.slice(0, above.length + Math.min(0, 1 - notices.length)),
		...(notices.length === 0 ? [blank] : notices),
		footerRow(state),
	];
};

const sideBySide = (band: readonly Placed[], draw: (placed: Placed) => readonly Line[]): readonly Line[] => {
	const columns = band.map(draw);
	return (columns[0] ?? []).map((_, row) => columns.flatMap(rows => rows[row] ?? blank));
};

const tooSmall = ({size}: State): readonly Line[] => [
	line(`Need 60x15, have ${size.columns}x${size.rows}.`, 'strong'),
	line('Resize, or use `hive status`.'),
];

/** The open box in the middle, over the rows of the panes. */
const withOverlay = (state: State, rows: readonly Line[]): readonly Line[] => {
	const room = {width: state.size.columns, height: rows.length - 3};
	const box = overlayRows(state, room);
	const width = lineWidth(box[0] ?? blank);
	const top = Math.max(2, Math.floor((rows.length - box.length) / 2));
	const left = Math.floor((room.width - width) / 2);
	return rows.map((below, index) => {
		const above = box[index - top];
		return above ? overlay(below, above, left) : below;
	});
};
