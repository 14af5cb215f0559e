import type {Form} from '../forms/form.ts';
import type {TextInput} from '../forms/text-input.ts';
import {type PaletteRow, paletteRows} from '../keys/palette.ts';
import {type HelpRow, helpRows, keyLabel} from '../keys/resolve.ts';
import {type Area, framePane, inside} from '../parts/frame.ts';
import {
	blank,
	clip,
	dropColumns,
	fill,
	type Line,
	line,
	lineWidth,
	type Span,
	span,
	widthOf,
	wrapWords,
} from '../parts/line.ts';
import {selectionMark} from '../parts/table.ts';
import {windowAround} from '../parts/window.ts';
import type {Mode, State} from '../store/state.ts';

/** Rows of the box that is open over the screen, all of one width; nothing when none is. */
export const overlayRows = (state: State, room: Area): readonly Line[] => {
	switch (state.mode.kind) {
		case 'form':
			return formBox(state.mode.form, room);
		case 'help':
			return helpBox(state, room);
		case 'palette':
			return paletteBox(state, state.mode, room);
		case 'details':
			return detailsBox(state.mode, room);
		default:
			return [];
	}
};

const dialogWidth = 70;

const formBox = (form: Form, room: Area): readonly Line[] => {
	const width = Math.min(dialogWidth, room.width - 4);
	const inner = width - 4;
	const controls = [
		...form.fields.map((field, index) => fieldLine(field.label, field.input, form.focus === index, inner)),
		...choiceLines(form),
		form.notice ? line(form.notice, 'bad') : blank,
		buttonLine(form, inner),
	];
	const said = atMost(
		form.lines.flatMap(content => wrapLine(content, inner)),
		room.height - 2 - controls.length,
	);
	return boxed(form.title, [...said, ...controls], {width, height: room.height});
};

/** Where there is no room for all of it the dialog still shows its buttons. */
const atMost = (lines: readonly Line[], count: number): readonly Line[] =>
	lines.length <= count ? lines : [...lines.slice(0, Math.max(0, count - 1)), line('…', 'dim')];

/** A text of one tone goes on in the next row; others are cut. */
const wrapLine = (content: Line, width: number): readonly Line[] => {
	const [only, ...others] = content;
	if (only === undefined || others.length > 0) return [content];
	return wrapWords(only.text, width).map(text => line(text, only.tone));
};

const fieldLine = (label: string, input: TextInput, isFocused: boolean, width: number): Line => {
	const room = Math.max(4, width - widthOf(label) - 2);
	const start = Math.max(0, widthOf(input.text.slice(0, input.cursor)) - room + 1);
	const visible = dropColumns(input.text, start);
	const cursor = input.cursor - (input.text.length - visible.length);
	if (!isFocused) return [span(`${label} `, 'dim'), span(fillWith(clip(visible, room), room))];
	const under = visible.slice(cursor, cursor + 1) || ' ';
	return [
		span(`${label} `, 'accent'),
		span(visible.slice(0, cursor)),
		span(under, 'cursor'),
		span(fillWith(clip(visible.slice(cursor + 1), room - cursor - 1), room - cursor - 1)),
	];
};

const fillWith = (text: string, width: number): string =>
	text + '_'.repeat(Math.max(0, width - widthOf(text)));

/** Rows of choices at once, where each has one of its own. */
const shownChoices = 5;

const choiceLines = ({choices, fields, focus}: Form): readonly Line[] => {
	if (choices === undefined) return [];
	const {options, selected} = choices;
	const isList = options.some(({note}) => note !== undefined);
	const widest = Math.max(...options.map(({label}) => widthOf(label)));
	const spans = options.map(({label, note}, index): Line => {
		const isSelected = index === selected;
		return [
			span(isSelected ? '(•) ' : '( ) ', isSelected ? 'accent' : 'plain'),
			span(
				`${isList ? fill(label, widest) : label}   `,
				isSelected && focus === fields.length ? 'strong' : 'plain',
			),
			...(note === undefined ? [] : [span(note, 'dim')]),
		];
	});
	if (!isList) return [spans.flat()];
	const {start, end} = windowAround(selected, options.length, shownChoices);
	return spans.slice(start, end);
};

const buttonLine = (form: Form, width: number): Line => {
	const first = form.fields.length + (form.choices ? 1 : 0);
	const buttons = form.buttons.flatMap(({label}, index): Span[] => {
		const isFocused = form.focus === first + index;
		return [
			span(isFocused ? '>' : ' ', 'accent'),
			span(`[ ${label} ]`, isFocused ? 'cursor' : form.busy && index > 0 ? 'dim' : 'plain'),
			span('  '),
		];
	});
	return [span(' '.repeat(Math.max(0, width - lineWidth(buttons)))), ...buttons];
};

const helpBox = (state: State, room: Area): readonly Line[] => {
	const rows = helpRows(state);
	const width = Math.min(76, room.width - 2);
	const keysWidth = 2 + Math.max(...rows.map(({keys}) => widthOf(keys)));
	const sentences = rows.map(({group, keys, help}, index) => [
		span(fill(rows[index - 1]?.group === group ? '' : group, helpIndent), 'dim'),
		span(fill(keys, keysWidth), 'accent'),
		span(help),
	]);
	const body = sentences.length <= room.height - 3 ? sentences : compactHelp(rows, width - 4);
	return boxed('Help · the keys that work here · Esc closes', body, {width, height: room.height});
};

const helpIndent = 6;

/** Where sentences do not fit: keys and names, as many as a row holds. */
const compactHelp = (rows: readonly HelpRow[], width: number): readonly Line[] =>
	[...new Set(rows.map(({group}) => group))].flatMap(group => {
		const lines: Span[][] = [];
		let left = 0;
		for (const {keys, label} of rows.filter(row => row.group === group)) {
			const entry = [span(keys, 'accent'), span(` ${label}  `)];
			if (lineWidth(entry) > left) {
				lines.push([span(fill(lines.length === 0 ? group : '', helpIndent), 'dim')]);
				left = width - helpIndent;
			}
			lines.at(-1)?.push(...entry);
			left -= lineWidth(entry);
		}
		return lines;
	});

const paletteBox = (state: State, mode: Extract<Mode, {kind: 'palette'}>, room: Area): readonly Line[] => {
	const width = Math.min(100, room.width - 2);
	const rows = paletteRows(state, mode.text);
	const {start, end} = windowAround(mode.selected, rows.length, Math.min(14, room.height - 4));
	const body = [
		[span(': ', 'accent'), span(mode.text), span(' ', 'cursor')],
		...rows
			.slice(start, end)
			.map((row, index) => [selectionMark(start + index === mode.selected), ...paletteSpans(row, width)]),
		...(rows.length === 0 ? [line('No action is called that.', 'dim')] : []),
	];
	return boxed('Palette · Enter runs · Esc closes', body, {width, height: room.height});
};

const paletteHelp = 42;

/** The key, what it does, and the command that does the same where there is room for it. */
const paletteSpans = ({binding, reason, command = ''}: PaletteRow, width: number): Line => {
	const key = fill(keyLabel(binding.keys[0] ?? ''), 7);
	if (reason !== undefined)
		return [span(key, 'dim'), span(`${fill(binding.label, 14)} `, 'dim'), span(reason, 'dim')];
	const hasRoom = width > paletteHelp + 40;
	const help = hasRoom ? `${fill(binding.help, paletteHelp)} ` : binding.help;
	return [span(key, 'accent'), span(help), ...(hasRoom ? [span(command, 'dim')] : [])];
};

const detailsBox = ({title, lines, top}: Extract<Mode, {kind: 'details'}>, room: Area): readonly Line[] => {
	const width = room.width - 4;
	const height = room.height - 4;
	const rows = lines.flatMap(content => wrapLine(content, width - 4));
	const start = Math.min(top, Math.max(0, rows.length - height));
	return boxed(`${title} · y copies · Esc closes`, rows.slice(start, start + height), {
		width,
		height: room.height,
	});
};

/** A box as high as its rows, one column of air on each side. */
const boxed = (title: string, body: readonly Line[], {width, height}: Area): readonly Line[] => {
	const area = {width, height: Math.min(height, body.length + 2)};
	const rows = body.slice(0, inside(area).height).map(content => [span(' '), ...content]);
	return framePane({title: line(title, 'strong'), body: rows}, area, true);
};
