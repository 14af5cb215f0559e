import {blank, fillLine, type Line, lineWidth, span} from './line.ts';

/** Columns and rows of a pane, borders included. */
export type Area = {readonly width: number; readonly height: number};

/** What a pane shows: a title for its upper border and rows for its inside. */
export type PaneView = {readonly title: Line; readonly body: readonly Line[]};

/** The rows inside a pane of that area, and their width. */
export const inside = ({width, height}: Area): Area => ({
	width: Math.max(0, width - 2),
	height: Math.max(0, height - 2),
});

/** The widest title that is drawn whole. */
export const titleRoom = ({width}: Area): number => Math.max(0, width - 6);

/** A pane as rows of exactly its width and height. */
export const framePane = ({title, body}: PaneView, area: Area, focused: boolean): Line[] => {
	const {width, height} = inside(area);
	const tone = focused ? 'focus' : 'border';
	const side = span('│', tone);
	const rows = Array.from({length: height}, (_, index) => [
		side,
		...fillLine(body[index] ?? blank, width),
		side,
	]);
	return [topBorder(title, area, focused), ...rows, [span(`└${'─'.repeat(width)}┘`, tone)]];
};

const topBorder = (title: Line, area: Area, focused: boolean): Line => {
	const tone = focused ? 'focus' : 'border';
	const fitted = fillLine(title, Math.min(titleRoom(area), lineWidth(title)));
	const rest = Math.max(0, inside(area).width - 3 - lineWidth(fitted));
	return [span('┌─ ', tone), ...fitted, span(` ${'─'.repeat(rest)}┐`, tone)];
};
