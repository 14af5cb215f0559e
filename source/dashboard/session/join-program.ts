import {refuse} from '../../domain/errors.ts';
import type {View, ViewEnd} from '../../host/sessions/join-session.ts';
import type {TerminalEmulator} from '../../screen/terminal-emulator.ts';
import {outcomeOf} from '../outcome-of.ts';
import type {JoinRequest} from '../store/program.ts';
import type {ProgramFrame, Size} from '../store/state.ts';
import type {DashboardServices} from '../world.ts';
import {createFramePacer} from './frame-pacer.ts';

/** This dashboard's connection to the program of one session. */
export type ProgramConnection = {
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
const maxBytesBetweenFrames = 256 * 1024;

/** Joins the program of a session, and calls `show` whenever its screen has changed, until it is left. */
export const joinProgram = (
	{join, faults}: Pick<DashboardServices, 'join' | 'faults'>,
	{session, room, types}: JoinRequest,
	show: (program: ProgramFrame) => void,
): ProgramConnection => {
	let paneSize = room;
	let model: TerminalEmulator | undefined;
	let view: View | undefined;
	let last: ProgramFrame | undefined;
	let read = 0;
	let isLeft = false;
	let isFull = false;
	let isPasting = false;
	const emit = (program: Omit<ProgramFrame, 'sessionId'>): void => {
		last = {...program, sessionId: session.sessionId};
		show(last);
	};
	const pacer = createFramePacer(() => {
		read = 0;
		view?.hold(false);
		if (model === undefined || last?.over !== undefined) return;
		const shown = {...renderFrame(model, paneSize), isFull};
		if (!isSameFrame(last, shown)) emit(shown);
	});
	const end = (why: ViewEnd): void => {
		pacer.stop();
		if (isLeft) return;
		const shown =
			model === undefined ? {size: paneSize, rows: [], keyboard: ''} : renderFrame(model, paneSize);
		emit({...shown, over: formatViewEnd(why)});
	};
	const joining = outcomeOf({faults}, async () => {
		// Loaded on demand, since most starts of the dashboard show no session.
		const {createTerminalEmulator: createScreen} = await import('../../screen/terminal-emulator.ts');
		if (isLeft) return refuse('wrong_status');
		return join(
			session,
			{...room, types},
			{
				screen: size => {
					model?.dispose();
					model = createScreen(size, {scrollback: 0});
					pacer.requestFrame();
				},
				output: bytes => {
					model?.write(bytes);
					read += bytes.length;
					if (read > maxBytesBetweenFrames) view?.hold(true);
					pacer.requestFrame();
				},
				taken: () => {
					const isCut = isFull && isPasting;
					isFull = false;
					// The end of the paste was dropped too, so it is sent now.
					if (isCut) type(Buffer.from(pasteEnd));
					pacer.requestFrame();
				},
				ended: end,
			},
		);
	}).then(joined => {
		if (!joined.ok) return end({why: 'refused', reason: joined.refusal.message});
		view = joined.value;
		if (isLeft) view.leave();
		else if (types && paneSize !== room) view.resize(paneSize);
	});
	const type = (bytes: Uint8Array): void => {
		if (view === undefined || isFull) return;
		pacer.skipInterval();
		isPasting = endsInPaste(bytes, isPasting);
		isFull = !view.type(bytes);
		if (isFull) pacer.requestFrame();
	};
	return {
		type: bytes => void joining.then(() => type(bytes)),
		resize: size => {
			paneSize = size;
			if (types) view?.resize(size);
			pacer.requestFrame();
		},
		leave: () => {
			isLeft = true;
			pacer.stop();
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

type FrameContent = Pick<ProgramFrame, 'size' | 'rows' | 'keyboard' | 'isFull'>;

const renderFrame = (model: TerminalEmulator, room: Size): FrameContent => ({
	size: model.size(),
	rows: renderRows(model, room),
	keyboard: model.keyboard(),
});

/** The part of the screen that fits. If it has more rows, the last ones, down to the last row with text. */
const renderRows = (model: TerminalEmulator, {columns, rows}: Size): readonly string[] => {
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

const usedRows = (model: TerminalEmulator): number => model.text().findLastIndex(text => text !== '') + 1;

const isSameFrame = (
	before: FrameContent | undefined,
	{size, rows, keyboard, isFull}: FrameContent,
): boolean =>
	before?.rows.length === rows.length &&
	before.size.columns === size.columns &&
	before.size.rows === size.rows &&
	before.keyboard === keyboard &&
	before.isFull === isFull &&
	rows.every((row, index) => row === before.rows[index]);

const formatViewEnd = (end: ViewEnd): string => {
	switch (end.why) {
		case 'exit':
			return `ended, exit ${end.exitCode}`;
		case 'refused':
			return end.reason;
		default:
			return 'the connection is lost';
	}
};
