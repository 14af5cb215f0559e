import {Box} from 'ink';
import {memo} from 'react';
import {areaTextWidth} from '../forms/text-area.ts';
import {widthOf, wrapAtSpaces} from '../parts/cells.ts';
import {type Line, line} from '../parts/line.ts';
import {type TextRow, textRowsOf} from '../parts/text-rows.ts';
import {type Button, type Form, firstButtonIndex, isVerticalList} from '../store/form.ts';
import {dialogWidth, fieldWidth} from '../store/layout.ts';
import type {Size} from '../store/state.ts';
import {Choices} from './choices.tsx';
import {Lines} from './lines.tsx';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {SafeText} from './safe-text.tsx';
import {TextArea} from './text-area.tsx';
import {TextField} from './text-field.tsx';

type Props = {
	readonly form: Form;
	readonly size: Size;
	/** True while the form ignores keys. */
	readonly isDeaf: boolean;
};

/** A form: its text, fields, choices and buttons. The buttons are dim while the form ignores keys. */
export const Dialog = memo(({form, size, isDeaf}: Props) => {
	const width = dialogWidth(size);
	const inner = fieldWidth(size);
	const texts = form.fields.map(({input, multiline}) =>
		multiline ? textRowsOf(input.text, areaTextWidth(inner)) : undefined,
	);
	const {lines, area, choices} = shareRows(form, {
		texts,
		lines: form.lines.flatMap(content => wrapLine(content, inner)),
		room: dialogRoom(size) - (buttonRows(form.buttons, inner).length - 1),
	});
	return (
		<DialogBox size={size} width={width} title={form.title}>
			<Lines lines={lines} />
			{form.fields.map((field, index) => {
				const {label, input} = field;
				const rows = texts[index];
				const shown = {label, isFocused: form.focus === index};
				return rows ? (
					<TextArea key={field.name} {...shown} rows={rows} cursor={input.cursor} height={area} />
				) : (
					<TextField key={field.name} {...shown} input={input} width={inner} />
				);
			})}
			{form.choices ? (
				<Choices {...form.choices} isFocused={form.focus === form.fields.length} height={choices} />
			) : null}
			<Box height={1} flexShrink={0}>
				<SafeText tone="bad">{form.notice}</SafeText>
			</Box>
			<Buttons form={form} isDeaf={isDeaf} width={inner} />
		</DialogBox>
	);
});

const maxChoiceRows = 5;
const minAreaRows = 3;
const maxAreaRows = 12;

type Content = {
	/** Wrapped rows of the fields that are text areas. */
	readonly texts: readonly (readonly TextRow[] | undefined)[];
	readonly lines: readonly Line[];
	/** Available rows. */
	readonly room: number;
};

/**
 * Distributes the rows among the parts of a form. Its controls come first. Text areas grow with their text if
 * there is room.
 */
const shareRows = ({fields, choices}: Form, {texts, lines, room}: Content) => {
	const areas = texts.flatMap(rows => (rows ? [rows.length] : []));
	const wanted = choices && isVerticalList(choices) ? Math.min(choices.options.length, maxChoiceRows) : 1;
	const fixed = 2 + fields.length + areas.length * minAreaRows;
	const forText = choices?.isSecondary ? lines.length : 0;
	const choiceRows = choices ? Math.max(1, Math.min(wanted, room - fixed - forText)) : 0;
	const shown = atMost(lines, room - fixed - choiceRows);
	const spare = room - fixed - choiceRows - shown.length;
	const area = Math.min(
		Math.max(minAreaRows, Math.min(Math.max(...areas), maxAreaRows)),
		minAreaRows + Math.floor(spare / Math.max(1, areas.length)),
	);
	return {lines: shown, area, choices: choiceRows};
};

/**
 * Cuts the lines if there is not enough room, so that the buttons stay visible. A mark alone would say
 * nothing.
 */
const atMost = (lines: readonly Line[], count: number): readonly Line[] => {
	if (lines.length <= count) return lines;
	return count < 2 ? [] : [...lines.slice(0, count - 1), line('…', 'dim')];
};

/** Wraps a line of a single tone. Other lines are not wrapped. */
export const wrapLine = (content: Line, width: number): readonly Line[] => {
	const [only, ...others] = content;
	if (only === undefined || others.length > 0) return [content];
	return wrapAtSpaces(only.text, width).map(text => line(text, only.tone));
};

const buttonGap = 2;

/** Columns of a button with its mark of focus and its brackets. */
const buttonWidth = ({label}: Button): number => widthOf(label) + 5;

/** Distributes the buttons over as few rows as they fit in. */
const buttonRows = (buttons: readonly Button[], width: number): readonly (readonly Button[])[] => {
	const rows: Button[][] = [];
	let left = 0;
	for (const button of buttons) {
		left -= buttonGap + buttonWidth(button);
		const row = rows.at(-1);
		if (row !== undefined && left >= 0) row.push(button);
		else {
			rows.push([button]);
			left = width - buttonGap - buttonWidth(button);
		}
	}
	return rows;
};

const Buttons = ({form, isDeaf, width}: Pick<Props, 'form' | 'isDeaf'> & {readonly width: number}) =>
	buttonRows(form.buttons, width).map(row => (
		<Box
			key={row[0]?.value}
			height={1}
			flexShrink={0}
			justifyContent="flex-end"
			columnGap={buttonGap}
			paddingRight={buttonGap}
		>
			{row.map(button => (
				<PressButton key={button.value} button={button} form={form} isDeaf={isDeaf} />
			))}
		</Box>
	));

const PressButton = ({button, form, isDeaf}: Pick<Props, 'form' | 'isDeaf'> & {readonly button: Button}) => {
	const index = form.buttons.indexOf(button);
	const isFocused = form.focus === firstButtonIndex(form) + index;
	const isDisabled = form.busy && index > 0;
	return (
		<Box flexShrink={0} aria-role="button" aria-state={{selected: isFocused, disabled: isDisabled}}>
			<SafeText tone="accent">{isFocused ? '>' : ' '}</SafeText>
			<SafeText
				tone={isFocused ? 'cursor' : isDisabled || isDeaf ? 'dim' : 'plain'}
			>{`[ ${button.label} ]`}</SafeText>
		</Box>
	);
};
