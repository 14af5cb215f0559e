import {memo} from 'react';
import type {ColonyStatus} from '../../host/live/live.ts';
import {formatRootGone} from '../../host/views/root-gone.ts';
import {useSelector} from '../hooks/use-selector.ts';
import {tabHint} from '../keys/tab-lessons.ts';
import {wrapAtSpaces} from '../parts/cells.ts';
import {formatMoment, formatTime, stateMarks} from '../parts/format.ts';
import {type Line, line, span} from '../parts/line.ts';
import {spreadLine} from '../parts/row-line.ts';
import {eventText} from '../store/event-text.ts';
import {drawnRows} from '../store/layout.ts';
import {memoized, perObject} from '../store/memo.ts';
import {pastEvent} from '../store/past.ts';
import type {PastState, Size, State, Toast} from '../store/state.ts';
import {Lines} from './lines.tsx';
import {Overlay} from './overlay.tsx';

/**
 * The text typed into a filter. Without a filter: actions under way, the last message, a missing folder, an
 * unreachable bus, and the banner of the past. Without these, the hint of the tab. Long notices cover the
 * panes.
 */
export const Notices = memo(({root}: {readonly root: string}) => {
	const size = useSelector(state => state.size);
	const mode = useSelector(state => state.mode);
	const toast = useSelector(state => state.toast);
	const runningActions = useSelector(state => state.runningActions);
	const status = useSelector(state => state.status);
	const past = useSelector(state => state.past);
	const now = useSelector(state => (state.past === undefined ? 0 : state.now));
	const typed = useSelector(state =>
		state.mode.kind !== 'filter'
			? ''
			: state.mode.list === 'text'
				? state.search
				: state.filters[state.mode.list],
	);
	const hint = useSelector(hintOf);
	const lines =
		mode.kind === 'filter'
			? [[span(' /', 'accent'), span(typed ?? ''), span(' ', 'cursor')]]
			: [
					...runningActions.map(runningLine),
					...(toast ? toastLines(toast, size) : []),
					...(status.isGone ? warningLines(formatRootGone(root), size) : []),
					...busLines(status, size),
					...(past ? [pastLine(past, now, size)] : []),
				];
	const shown = lines.length > 0 ? lines : hint ? [hint] : [];
	if (shown.length === 0) return null;
	return (
		<Overlay top={drawnRows(size) - 1 - shown.length} width={size.columns}>
			<Lines lines={shown} />
		</Overlay>
	);
});

const hintOf = perObject((state: State): Line | undefined => {
	const hint = state.mode.kind === 'browse' ? tabHint(state) : undefined;
	return hint && hintLine(hint.about, hint.key, hint.does);
});

const hintLine = memoized(
	(about: string, key: string, does: string): Line => [
		span(` · ${about} `, 'dim'),
		span(key, 'strong'),
		span(` ${does}`, 'dim'),
	],
);

/** The banner that keeps the past from being mistaken for the present. */
const pastLine = (past: PastState, now: number, {columns}: Size): Line => {
	const {events} = past.history;
	const event = pastEvent(past);
	if (event === undefined) return [];
	return spreadLine(
		[
			span(' PAST ', 'cursor'),
			span(` ${past.position + 1} of ${events.length} · event ${event.sequence} · `, 'accent'),
			span(
				`${formatMoment(event.at, now)} · ${event.payload.kind} ${eventText(event, past.trace)}`.trimEnd(),
			),
		],
		[span('e earlier  E later  Esc now ', 'dim')],
		columns,
	);
};

const runningLine = (what: string): Line => {
	const [glyph, tone] = stateMarks.running;
	return [span(` ${glyph} `, tone), span(`${what}…`)];
};

/** Max rows of one notice. The Events tab has the whole text. */
const maxToastRows = 4;

const toastLines = ({text, tone}: Toast, {columns}: Size): readonly Line[] => {
	const glyph = tone === 'good' ? '✓' : tone === 'bad' ? '✗' : '·';
	return wrapAtSpaces(span(text).text, columns - 4)
		.slice(0, maxToastRows)
		.map((row, index) => [span(index === 0 ? ` ${glyph} ` : '   ', tone), span(row)]);
};

const busLines = ({bus}: ColonyStatus, size: Size): readonly Line[] => {
	if (bus.state === 'live') return [];
	const what = bus.reason
		? `${bus.reason} "hive doctor" says what to do.`
		: `bus unreachable since ${formatTime(bus.since)}: what you see is from then, read only`;
	return warningLines(what, size);
};

const warningLines = (what: string, {columns}: Size): readonly Line[] =>
	wrapAtSpaces(span(what).text, columns - 4).map((row, index) =>
		line(`${index === 0 ? ' ✗' : '  '} ${row}`, 'bad'),
	);
