import type {Trace} from '../../domain/trace.ts';
import type {DetailLine} from '../../host/views/detail/section.ts';
import {formatDuration} from '../../host/views/format-duration.ts';
import {beeName} from '../../host/views/name.ts';
import {runStatusLabel} from '../../host/views/run.ts';
import {type Timeline, type TimelineRow, timelineOf} from '../../host/views/timeline.ts';
import {clip, widthOf} from '../parts/cells.ts';
import {formatMoment, formatTime, stateMarks} from '../parts/format.ts';
import {memoized} from './memo.ts';

/** Shares and columns for a run's name and bee, for its duration, and for its bar. */
const labelShare = 0.35;
const maxLabelWidth = 40;
const durationWidth = 16;
const minBarWidth = 8;

/** The runs of a trace as bars on a common time axis. */
export const timelineLines = memoized((trace: Trace, now: number, width: number): readonly DetailLine[] => {
	const timeline = timelineOf(trace, now);
	if (timeline === undefined) return [];
	const label = Math.min(maxLabelWidth, Math.floor(width * labelShare));
	const maxBeeWidth = timeline.rows.reduce(
		(maxWidth, {run}) => Math.max(maxWidth, widthOf(beeName(run.bee))),
		0,
	);
	const columns = {
		label,
		bee: Math.min(maxBeeWidth, Math.floor(label / 3)),
		bar: Math.max(minBarWidth, width - label - durationWidth - 2),
	};
	return [axis(timeline, columns, now), ...timeline.rows.map(row => rowLine(timeline, row, columns))];
});

type Columns = {readonly label: number; readonly bee: number; readonly bar: number};

const axis = ({from, to}: Timeline, {label, bar}: Columns, now: number): DetailLine => {
	const [start, end] = [formatMoment(from, now), formatTime(to)];
	const gap = Math.max(1, bar - start.length - end.length);
	return {text: `${' '.repeat(label + 1)}${start}${' '.repeat(gap)}${end}`, tone: 'dim'};
};

const rowLine = (timeline: Timeline, row: TimelineRow, {label, bee, bar}: Columns): DetailLine => {
	const {run, title, from, to} = row;
	const words = runStatusLabel(run);
	const [glyph] = stateMarks[words];
	const name =
		title === ''
			? padTo(beeName(run.bee), label)
			: `${padTo(title, label - bee - 1)} ${padTo(beeName(run.bee), bee)}`;
	return {
		text: `${name} ${barOf(timeline, from, to, bar)} ${glyph} ${formatDuration(to - from)}`,
		tone: tones[words],
	};
};

const tones = {
	running: 'info',
	completed: 'plain',
	failed: 'bad',
	paused: 'accent',
	asked: 'accent',
	'no change': 'accent',
	cancelled: 'dim',
} as const;

/** A bar has at least one cell, however short the run was. */
const barOf = ({from: first, to: last}: Timeline, from: number, to: number, cells: number): string => {
	const scale = last === first ? 0 : cells / (last - first);
	const start = Math.min(cells - 1, Math.floor((from - first) * scale));
	const length = Math.max(1, Math.min(cells - start, Math.round((to - from) * scale)));
	return '·'.repeat(start) + '█'.repeat(length) + '·'.repeat(cells - start - length);
};

const padTo = (text: string, width: number): string => {
	const cut = clip(text, width);
	return cut + ' '.repeat(Math.max(0, width - widthOf(cut)));
};
