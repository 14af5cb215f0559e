import {found} from '../parts/found.ts';
import {type Area, inside, type PaneView} from '../parts/frame.ts';
import {dropColumns, type Line, line, span} from '../parts/line.ts';
import {grouped, plural, shortId} from '../parts/words.ts';
import {logLines} from '../store/log.ts';
import {selectedRun} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {firstRow, textRows} from '../store/texts.ts';

/** Output of the selected run as it is written. */
export const logPane = (state: State, area: Area): PaneView => {
	const {height} = inside(area);
	const row = selectedRun(state);
	if (!row) return {title: line('Log', 'strong'), body: [line(' No run selected.', 'dim')]};
	const {follow, left} = state.scroll.log;
	const search = state.search === '' ? '' : ` · /${state.search}`;
	const title = [
		span(`Log ${shortId(row.run.agentId)} · stdout${search}`, 'strong'),
		...(follow ? [span(' · '), span('FOLLOW', 'accent')] : []),
	];
	const rows = textRows(state, 'log');
	const top = firstRow(state, 'log');
	const shown = rows.slice(top, top + height - 1).map(text => found(dropColumns(text, left), state.search));
	const padding = Array.from({length: Math.max(0, height - 1 - shown.length)}, (): Line => []);
	return {title, body: [...shown, ...padding, statusRow(state, rows.length, row.run.status === 'running')]};
};

const statusRow = ({log}: State, kept: number, isLive: boolean): Line => {
	if (kept === 0) return line(isLive ? 'Nothing written yet.' : 'It wrote nothing.', 'dim');
	const removed = log.removed > 0 ? ` · ${plural(log.removed, 'control sequence')} removed` : '';
	const dropped = log.total > log.lines.length ? ` · the last ${grouped(log.lines.length)} kept` : '';
	const total = log.total + (log.open === '' ? 0 : 1);
	return [
		span(isLive ? '▼ live' : '· ended', isLive ? 'info' : 'dim'),
		span(` · ${grouped(total)} ${total === 1 ? 'line' : 'lines'}${dropped}${removed}`, 'dim'),
	];
};

/** The last line of the selected run, where there is no room for its log. */
export const lastLogLine = (state: State): Line => {
	const row = selectedRun(state);
	if (!row) return line(' log  no run selected', 'dim');
	const last = logLines(state.log).findLast(text => text.trim() !== '');
	return [
		span(` log ${shortId(row.run.agentId)} `, 'dim'),
		span(last ?? 'nothing written yet', last ? 'plain' : 'dim'),
	];
};
