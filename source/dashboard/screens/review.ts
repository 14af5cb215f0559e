import {titleOf} from '../../domain/trace.ts';
import {totals} from '../forms/gate.ts';
import {found} from '../parts/found.ts';
import {type Area, inside, type PaneView} from '../parts/frame.ts';
import {blank, dropColumns, fillLine, type Line, line, span, type Tone, wrapWords} from '../parts/line.ts';
import {type Column, tableHead, tableRow} from '../parts/table.ts';
import {windowAround} from '../parts/window.ts';
import {age, plural, shortId} from '../parts/words.ts';
import type {DiffRow} from '../store/diff.ts';
import {type QueueRow, queueList} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import {diffHead, diffMarks, diffRows, firstRow, textRows} from '../store/texts.ts';
import type {Preview} from '../world.ts';
import {emptyBody, filterNote} from './empty.ts';

const queueColumns = (now: number): readonly Column<QueueRow>[] => [
	{title: 'TRACE', width: 9, cell: ({trace}) => [shortId(trace.traceId)]},
	{title: 'TASK', width: 'grow', cell: ({task}) => [task.taskId]},
	{title: 'GATE', width: 8, cell: ({gate}) => [gate, gate === 'final' ? 'accent' : 'plain']},
	{title: 'AGE', width: 4, align: 'right', cell: ({task}) => [age(task.updatedAt, now), 'dim']},
];

/** Everything that waits for a person, the longest waiting first. */
export const queuePane = (state: State, area: Area): PaneView => {
	const {width, height} = inside(area);
	const rows = queueList.rows(state);
	const filter = state.filters.queue ?? '';
	const title = line(`Review queue ${rows.length}${filterNote(filter)}`, 'strong');
	if (rows.length === 0)
		return {title, body: emptyBody(filter, ['Nothing waits for you.', 'Gates show up here by themselves.'])};
	const columns = queueColumns(state.now);
	const at = queueList.position(state);
	const details = height > 14 ? queueDetails(rows[at], width) : [];
	const {start, end} = windowAround(at, rows.length, height - 1 - details.length);
	const list = rows
		.slice(start, end)
		.map((row, index) => tableRow(columns, width, row, start + index === at));
	return {title, body: [tableHead(columns, width), ...list, ...details]};
};

/** What the task is about. */
const queueDetails = (row: QueueRow | undefined, width: number): readonly Line[] => {
	if (!row) return [];
	const {trace, task} = row;
	const texts = [titleOf(trace), task.title, task.summary].filter(
		(text, index, all) => text !== '' && all.indexOf(text) === index,
	);
	return [
		blank,
		...texts.flatMap((text, index) =>
			wrapWords(span(text).text, width - 2).map(part => line(` ${part}`, index === 0 ? 'strong' : 'plain')),
		),
	];
};

/** What to know of the selected task, and what approving it would bring: side by side where there is room. */
export const diffPane = (state: State, area: Area): PaneView => {
	const {width, height} = inside(area);
	const row = queueList.selected(state);
	const title = line(`Diff${row ? ` ${row.task.taskId}` : ''}`, 'strong');
	if (!row) return {title, body: []};
	const head = diffHead(state).map(known => [span(' '), ...known]);
	const only = (text: string, tone: Tone): PaneView => ({
		title,
		body: [...head, blank, ...wrapWords(span(text).text, width - 4).map(part => line(`  ${part}`, tone))],
	});
	if (state.preview?.state === 'refused') return only(state.preview.message, 'bad');
	if (state.preview?.state !== 'ready') return only('Reading the diff…', 'dim');
	const rows = diffRows(state);
	if (rows.length === 0) return only('No changes.', 'dim');
	const shownRows = height - head.length;
	const top = firstRow(state, 'diff');
	const {left} = state.scroll.diff;
	return {
		title: diffTitle(row.task.taskId, state.preview.preview, textRows(state, 'diff'), top, shownRows),
		body: [
			...head,
			...rows.slice(top, top + shownRows).map(shown => diffLine(shown, left, width, state.search)),
		],
	};
};

const diffLine = (row: DiffRow, left: number, width: number, search: string): Line => {
	if ('whole' in row) return found(dropColumns(row.whole, left), search, diffTone(row.whole));
	const half = Math.floor((width - 1) / 2);
	const side = (text = ''): Line => {
		const drawn = found(dropColumns(span(text).text, left), search, diffTone(text));
		return fillLine(drawn, half);
	};
	return [...side(row.old), span('│', 'border'), ...side(row.new)];
};

const diffTitle = (
	taskId: string,
	preview: Preview,
	rows: readonly string[],
	top: number,
	height: number,
): Line => {
	const {files} = diffMarks(rows);
	const {added, removed} = totals(preview);
	const file = Math.max(1, files.filter(index => index <= top).length);
	const share = Math.min(100, Math.round(((top + height) / rows.length) * 100));
	return [
		span(
			`Diff ${taskId} · file ${Math.min(file, files.length)}/${plural(files.length, 'file').split(' ')[0]} `,
			'strong',
		),
		span(`+${added}`, 'added'),
		span(' '),
		span(`-${removed}`, 'removed'),
		span(` · ${share}%`, 'dim'),
		...(preview.truncated ? [span(' · first 1 MiB, all: hive proposal diff', 'accent')] : []),
		...(preview.conflicts.length > 0
			? [span(` · ✗ ${plural(preview.conflicts.length, 'conflict')}`, 'bad')]
			: []),
	];
};

const diffTone = (text: string): Tone => {
	if (text.startsWith('diff --git ')) return 'strong';
	if (text.startsWith('+++') || text.startsWith('---') || text.startsWith('index ')) return 'dim';
	if (text.startsWith('@@')) return 'info';
	if (text.startsWith('+')) return 'added';
	return text.startsWith('-') ? 'removed' : 'plain';
};
