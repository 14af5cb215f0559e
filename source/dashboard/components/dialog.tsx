import {Box} from 'ink';
import {memo} from 'react';
import type {Form} from '../forms/form.ts';
import {wrapWords} from '../parts/cells.ts';
import {type Line, line} from '../parts/line.ts';
import type {Size} from '../store/state.ts';
import {Choices, shownChoices} from './choices.tsx';
import {Lines} from './lines.tsx';
import {DialogBox, dialogRoom} from './overlay.tsx';
import {SafeText} from './safe-text.tsx';
import {TextField} from './text-field.tsx';

const widest = 70;

/** What a form says, its fields, its choices and its buttons. */
export const Dialog = memo(({form, size}: {readonly form: Form; readonly size: Size}) => {
	const width = Math.min(widest, size.columns - 4);
	const inner = width - 3;
	const controls = form.fields.length + choiceRows(form) + 2;
	const lines = atMost(
		form.lines.flatMap(content => wrapLine(content, inner - 1)),
		dialogRoom(size) - controls,
	);
	return (
		<DialogBox size={size} width={width} title={form.title}>
			<Lines lines={lines} />
			{form.fields.map(({name, label, input}, index) => (
				<TextField
					key={name}
					label={label}
					input={input}
					isFocused={form.focus === index}
					width={inner - 1}
				/>
			))}
			{form.choices ? <Choices {...form.choices} isFocused={form.focus === form.fields.length} /> : null}
			<Box height={1} flexShrink={0}>
				<SafeText tone="bad">{form.notice}</SafeText>
			</Box>
			<Buttons form={form} />
		</DialogBox>
	);
});

const choiceRows = ({choices}: Form): number =>
	choices === undefined
		? 0
		: choices.options.some(({note}) => note)
			? Math.min(choices.options.length, shownChoices)
			: 1;

/** Where there is no room for all of it the dialog still shows its buttons. */
const atMost = (lines: readonly Line[], count: number): readonly Line[] =>
	lines.length <= count ? lines : [...lines.slice(0, Math.max(0, count - 1)), line('…', 'dim')];

/** A text of one tone goes on in the next row; others are cut. */
export const wrapLine = (content: Line, width: number): readonly Line[] => {
	const [only, ...others] = content;
	if (only === undefined || others.length > 0) return [content];
	return wrapWords(only.text, width).map(text => line(text, only.tone));
};

const Buttons = ({form}: {readonly form: Form}) => {
	const first = form.fields.length + (form.choices ? 1 : 0);
	return (
		<Box height={1} flexShrink={0} justifyContent="flex-end" columnGap={2} paddingRight={2}>
			{form.buttons.map(({label, value}, index) => {
				const isFocused = form.focus === first + index;
				const isDisabled = form.busy && index > 0;
				return (
					<Box
						key={value}
						flexShrink={0}
						aria-role="button"
						aria-state={{selected: isFocused, disabled: isDisabled}}
					>
						<SafeText tone="accent">{isFocused ? '>' : ' '}</SafeText>
						<SafeText tone={isFocused ? 'cursor' : isDisabled ? 'dim' : 'plain'}>{`[ ${label} ]`}</SafeText>
					</Box>
				);
			})}
		</Box>
	);
};
