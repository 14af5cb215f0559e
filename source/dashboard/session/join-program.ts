import {refuse} from '../../domain/errors.ts';
import type {View, ViewEnd} from '../../host/sessions/join-session.ts';
import type {Screen} from '../../screen/screen.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {Look} from '../store/program.ts';
import type {ProgramScreen, Size} from '../store/state.ts';
import type {World} from '../world.ts';
import {createPace} from './pace.ts';

/** This dashboard's connection to the program of one session. */
export type Joined = {
	/**
	 * Types bytes in the order of the calls, including calls before the connection is there. Bytes are dropped
	 * while too many wait for a program that does not read.
	 */
	readonly type: (bytes: Uint8Array) => void;
	/** Called when the pane changes its size. */
	readonly resize: (room: Size) => void;
	readonly leave: () => void;
};

/**
 * Max bytes read between two frames. Further output stays with the program's host, so that keys never wait
 * for it.
 */
const mostBetweenFrames = 256 * 1024;

/** Joins the program of a session, and calls `show` whenever its screen has changed, until it is left. */
export const joinProgram = (
	{join, faults}: Pick<World, 'join' | 'faults'>,
	{session, room, types}: Look,
	show: (program: ProgramScreen) => void,
): Joined => {
	let now = room;
	let model: Screen | undefined;
	let view: View | undefined;
	let last: ProgramScreen | undefined;
	let read = 0;
	let isLeft = false;
	let isFull = false;
	let isPasting = false;
	const tell = (program: Omit<ProgramScreen, 'sessionId'>): void => {
		last = {...program, sessionId: session.sessionId};
		show(last);
	};
	const pace = createPace(() => {
		read = 0;
		view?.hold(false);
		if (model === undefined || last?.over !== undefined) return;
		const shown = {...shownBy(model, now), isFull};
		if (!isSame(last, shown)) tell(shown);
	});
	const end = (why: ViewEnd): void => {
		pace.stop();
		if (isLeft) return;
		const shown = model === undefined ? {size: now, rows: [], keyboard: ''} : shownBy(model, now);
		tell({...shown, over: wordsOf(why)});
	};
	const joining = outcomeOf({faults}, async () => {
		// Loaded on demand, since most starts of the dashboard show no session.
		const {createScreen} = await import('../../screen/screen.ts');
		if (isLeft) return refuse('wrong_status');
		return join(
			session,
			{...room, types},
			{
				screen: size => {
					model?.dispose();
					model = createScreen(size, {scrollback: 0});
					pace.ask();
				},
				output: bytes => {
					model?.write(bytes);
					read += bytes.length;
					if (read > mostBetweenFrames) view?.hold(true);
					pace.ask();
				},
				taken: () => {
					const isCut = isFull && isPasting;
					isFull = false;
					// The end of the paste was dropped too, so it is sent now.
					if (isCut) type(Buffer.from(pasteEnd));
					pace.ask();
				},
				ended: end,
			},
		);
	}).then(joined => {
		if (!joined.ok) return end({why: 'refused', reason: joined.refusal.message});
		view = joined.value;
		if (isLeft) view.leave();
		else if (types && now !== room) view.resize(now);
	});
	const type = (bytes: Uint8Array): void => {
		if (view === undefined || isFull) return;
		pace.hurry();
		isPasting = endsInPaste(bytes, isPasting);
		isFull = !view.type(bytes);
		if (isFull) pace.ask();
	};
	return {
		type: bytes => void joining.then(() => type(bytes)),
		resize: size => {
			now = size;
			if (types) view?.resize(size);
			pace.ask();
		},
		leave: () => {
			isLeft = true;
			pace.stop();
			view?.leave();
			model?.dispose();
		},
	};
};

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

const endsInPaste = (bytes: Uint8Array, isPasting: boolean): boolean => {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	const [start, end] = [text.lastIndexOf(pasteStart), text.lastIndexOf(pasteEnd)];
	return start === end ? isPasting : start > end;
};

type Shown = Pick<ProgramScreen, 'size' | 'rows' | 'keyboard' | 'isFull'>;

const shownBy = (model: Screen, room: Size): Shown => ({
	size: model.size(),
	rows: draw(model, room),
	keyboard: model.keyboard(),
});

/** The part of the screen that fits. If it has more rows, the last ones, down to the last row with text. */
const draw = (model: Screen, {columns, rows}: Size): readonly string[] => {
	const size = model.size();
	const height = Math.min(rows, size.rows);
	const hidden = size.rows > height ? Math.max(0, usedRows(model) - height) : 0;
	return model.rows({
		columns: Math.min(columns, size.columns),
		rows: height,
		top: model.length() - size.rows + hidden,
		cursor: true,
	});
};

const usedRows = (model: Screen): number => model.text().findLastIndex(text => text !== '') + 1;

const isSame = (before: Shown | undefined, {size, rows, keyboard, isFull}: Shown): boolean =>
	before?.rows.length === rows.length &&
	before.size.columns === size.columns &&
	before.size.rows === size.rows &&
	before.keyboard === keyboard &&
	before.isFull === isFull &&
	rows.every((row, index) => row === before.rows[index]);

const wordsOf = (end: ViewEnd): string => {
	switch (end.why) {
		case 'exit':
			return `ended, exit ${end.exitCode}`;
		case 'refused':
			return end.reason;
		default:
			return 'the connection is lost';
	}
};
