import type {Form} from '../forms/form.ts';
import {footerHints, type Hint} from '../keys/resolve.ts';
import type {Room} from '../layout.ts';
import {fillLine, type Line, line, lineWidth, type Span, span, wrapWords} from '../parts/line.ts';
import {clockTime, stateMarks} from '../parts/words.ts';
import {liveBees, waitingCount} from '../store/selectors.ts';
import {type State, type Tab, type Toast, tabPanes, tabs} from '../store/state.ts';
import type {Header} from '../world.ts';

/** Two ends of a row with the space between them. */
const spread = (left: Line, right: Line, width: number): Line => {
	const room = Math.max(0, width - lineWidth(right) - 1);
	return [...fillLine(left, room), span(' '), ...right];
};

/** Which colony, whether its bus and reactor live, how many bees work, what time it is. */
export const headerRow = (state: State, header: Header, room: Room): Line => {
	const isWide = room === 'wide';
	const time = clockTime(state.now);
	const left = [
		span(' hive ', 'accent'),
		span(isWide ? ` ${header.slug} · ${header.branch} · bus ` : ` ${header.slug}  bus `),
		...busSpans(state, header, isWide),
		span(isWide ? ' · reactor ' : '  reactor '),
		...reactorSpans(state, isWide),
		span(isWide ? ` · bees ${liveBees(state)} live` : `  bees ${liveBees(state)}`),
	];
	return spread(left, line(isWide ? `${time} UTC ` : `${time.slice(0, 5)} `, 'dim'), state.size.columns);
};

const busSpans = ({status}: State, {bus}: Header, isWide: boolean): Span[] =>
	status.bus.state === 'live'
		? [span('●', 'good'), span(isWide ? ` ${bus}` : '')]
		: [span('✗', 'bad'), span(' down', 'bad')];

const reactorWords = {
	here: ['●', 'good', ' this process'],
	elsewhere: ['●', 'good', ' another process'],
	none: ['○', 'accent', ' none: hive run'],
} as const;

const reactorSpans = ({status}: State, isWide: boolean): Span[] => {
	const [glyph, tone, words] = reactorWords[status.reactor];
	return [span(glyph, tone), span(isWide || status.reactor === 'none' ? words : '')];
};

const tabWords: Readonly<Record<Tab, readonly [long: string, short: string]>> = {
	traces: ['Traces', 'Tra'],
	runs: ['Runs', 'Run'],
	review: ['Review', 'Rev'],
	events: ['Events', 'Evt'],
	sessions: ['Sessions', 'Ses'],
	colony: ['Colony', 'Col'],
};

/** The tabs that there are, with what waits for a person. */
export const tabRow = (state: State, room: Room): Line => {
	const isWide = room === 'wide';
	const waiting = waitingCount(state);
	const names = tabs.flatMap((tab, index): Span[] => {
		if (tabPanes[tab].length === 0) return [];
		const count = tab === 'review' && waiting > 0 ? `(${waiting > 9 ? '9+' : waiting})` : '';
		const name = `${index + 1}${isWide ? ' ' : ''}${tabWords[tab][isWide ? 0 : 1]}`;
		const isOpen = tab === state.tab;
		return [
			span(isOpen ? '[' : ' ', 'accent'),
			span(name, isOpen ? 'strong' : 'plain'),
			span(count, 'accent'),
			span(isOpen ? ']' : ' ', 'accent'),
			span(isWide ? ' ' : ''),
		];
	});
	return spread(
		[span(' '), ...names],
		line(isWide ? ': palette  ? help ' : ': cmds  ? help ', 'dim'),
		state.size.columns,
	);
};

/** What is typed into a filter, or what is under way, what was said last and that the bus is down, in as many rows as that takes. */
export const noticeRows = (state: State): readonly Line[] => {
	const {toast, underWay, status, mode, filters, search, size} = state;
	if (mode.kind === 'filter') {
		const text = mode.list === 'text' ? search : (filters[mode.list] ?? '');
		return [[span(' /', 'accent'), span(text), span(' ', 'cursor')]];
	}
	const [glyph, tone] = stateMarks.running;
	const said = [
		...underWay.map(what => [span(` ${glyph} `, tone), span(`${what}…`)]),
		...(toast ? toastRows(toast, size.columns) : []),
	];
	if (status.bus.state === 'live') return said;
	const since = clockTime(status.bus.since);
	return [...said, line(` ✗ bus unreachable since ${since}: what you see is from then, read only`, 'bad')];
};

/** Rows that one notice may cover; the Events tab has all of it. */
const longestToast = 4;

const toastRows = ({text, tone}: Toast, width: number): readonly Line[] => {
	const glyph = tone === 'good' ? '✓' : tone === 'bad' ? '✗' : '·';
	return wrapWords(span(text).text, width - 4)
		.slice(0, longestToast)
		.map((row, index) => [span(index === 0 ? ` ${glyph} ` : '   ', tone), span(row)]);
};

/** Keys that work now. */
export const footerRow = (state: State): Line => [
	span(' '),
	...hintsOf(state).flatMap(({key, label}) => [
		span(key, 'strong'),
		span(label ? ` ${label}  ` : '  ', 'dim'),
	]),
];

const hintsOf = (state: State): readonly Hint[] => {
	const {mode, size} = state;
	if (mode.kind === 'browse') return footerHints(state, size.columns - 2);
	return mode.kind === 'form' ? formHints(mode.form) : modeHints[mode.kind];
};

const formHints = ({fields, choices, focus}: Form): readonly Hint[] => [
	{key: 'Tab', label: 'next'},
	...(choices && focus === fields.length ? [{key: '←→', label: 'choose'}] : []),
	...(fields[focus] ? [{key: 'Ctrl+G', label: 'in $EDITOR'}] : []),
	{key: 'Enter', label: 'press'},
	{key: 'Esc', label: 'cancel'},
];

const close: Hint = {key: 'Esc', label: 'close'};
const modeHints = {
	filter: [
		{key: 'Enter', label: 'keep'},
		{key: 'Esc', label: 'clear'},
	],
	help: [close],
	palette: [{key: '↑↓', label: 'move'}, {key: 'Enter', label: 'run'}, close],
	details: [{key: '↑↓', label: 'scroll'}, {key: 'y', label: 'copy'}, close],
} as const satisfies Readonly<Record<string, readonly Hint[]>>;
