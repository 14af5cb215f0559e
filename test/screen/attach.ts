import type {Size} from '../../source/screen/paint.ts';
import {emulatorOf, type TerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {createTerminalModel, type TerminalModel} from '../../source/screen/terminal-model.ts';
import {type State, stateOf} from './state-of.ts';

export type Watched = {readonly model: TerminalModel; readonly screen: TerminalEmulator};

export const openScreen = (size: Size, scrollback = 100): Watched => {
	const model = createTerminalModel(size, scrollback);
	return {model, screen: emulatorOf(model, {})};
};

/** Attaches a viewer: a new screen gets a snapshot, and then the same output as every viewer. */
export const attach = ({screen, model}: Watched, scrollback = 100): Watched => {
	const viewer = openScreen(screen.size(), model.terminal.options.scrollback);
	viewer.screen.write(screen.snapshot({scrollback}));
	return viewer;
};

/** The state of a viewer and of the program's own screen. Both are equal if attaching is exact. */
export type Attached = {readonly when: string; readonly shown: State; readonly expected: State};

/**
 * Attaches after each of these byte counts, in order. Compares each viewer with the program's own screen at
 * that point and at the end.
 */
export const attachAt = function* (
	recording: Uint8Array,
	size: Size,
	cuts: Iterable<number>,
): Generator<Attached> {
	const running = openScreen(size);
	const snapshots: {readonly cut: number; readonly snapshot: Uint8Array}[] = [];
	const outputs: Uint8Array[] = [];
	let written = 0;
	for (const cut of cuts) {
		outputs.push(running.screen.write(recording.subarray(written, cut)));
		written = cut;
		const snapshot = running.screen.snapshot({scrollback: 100});
		snapshots.push({cut, snapshot});
		yield {when: `at byte ${cut}`, shown: stateAfter(size, [snapshot]), expected: stateOf(running.model)};
	}
	outputs.push(running.screen.write(recording.subarray(written)));
	running.screen.dispose();
	const expected = stateAfter(size, [recording]);
	for (const [index, {cut, snapshot}] of snapshots.entries()) {
		const shown = stateAfter(size, [snapshot, ...outputs.slice(index + 1)]);
		yield {when: `at the end, attached at byte ${cut}`, shown, expected};
	}
};

const stateAfter = (size: Size, written: readonly Uint8Array[]): State => {
	const {model, screen} = openScreen(size);
	for (const bytes of written) screen.write(bytes);
	const state = stateOf(model);
	screen.dispose();
	return state;
};

export const everyNth = function* (length: number, step: number): Generator<number> {
	for (let cut = 0; cut <= length; cut += step) yield cut;
};
