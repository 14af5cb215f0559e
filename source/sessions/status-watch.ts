import type {SessionStatus} from '../domain/session-status.ts';
import {type Clock, timestamp} from '../ports/clock.ts';
import {statusRows} from '../runs/session.ts';
import type {TerminalEmulator} from '../screen/terminal-emulator.ts';
import {sessionStatusOf, textRows} from './status.ts';
import {createTyping, isFocusReport} from './typing.ts';

/** Watches a session's terminal for what its program does. */
export type StatusWatch = {
	/** The screen has processed the program's output. */
	readonly wrote: () => void;
	/** Called before the program gets the input. */
	readonly typed: (bytes: Uint8Array) => void;
	readonly resized: () => void;
	/** The program called for a person: by bell, notification or hook. */
	readonly called: () => void;
	readonly end: () => void;
};

type Parts = {
	readonly clock: Clock;
	readonly screen: Pick<
		TerminalEmulator,
		'text' | 'lines' | 'title' | 'cursorText' | 'isCursorHidden' | 'isAlternate'
	>;
	readonly onStatus: (status: SessionStatus) => void;
};

/** Milliseconds between two looks at a screen that changes. */
const lookIntervalMs = 500;
/** A change this soon after a key or a new size, in milliseconds, is its echo and no work. */
const echoMs = 700;

export const createStatusWatch = ({clock, screen, onStatus}: Parts): StatusWatch => {
	const typing = createTyping();
	let text = '';
	let changedAt = clock.elapsed();
	let [wroteAt, calledAt, typedAt, echoUntil] = Array<number>(4).fill(Number.NEGATIVE_INFINITY) as [
		...[number, number, number, number],
	];
	let shown: SessionStatus | undefined;
	let next: {readonly at: number; readonly cancel: () => void} | undefined;
	let isOver = false;

	const lookIn = (delayMs: number): void => {
		const at = clock.elapsed() + delayMs;
		if (isOver || (next !== undefined && next.at <= at)) return;
		next?.cancel();
		next = {at, cancel: clock.after(delayMs, look)};
	};
	const look = (): void => {
		next = undefined;
		const now = clock.elapsed();
		const rows = screen.text();
		// Some tools turn their spinner in the title alone.
		const title = screen.title();
		const seen = [title, ...rows].join('\n');
		if (seen !== text && wroteAt > echoUntil) changedAt = wroteAt;
		text = seen;
		// What follows a key tells if the program works on it.
		if (now < echoUntil + lookIntervalMs) return lookIn(echoUntil + lookIntervalMs - now);
		const cursorRow = screen.isCursorHidden() ? undefined : screen.cursorText();
		const status = sessionStatusOf({
			...{now, changedAt, calledAt, typedAt, title, rows, cursorRow},
			isFullScreen: screen.isAlternate(),
		});
		show(status);
		if (status.state === 'working') lookIn(lookIntervalMs);
	};
	const show = ({state, since}: ReturnType<typeof sessionStatusOf>): void => {
		// Whole lines, since a secret may be wrapped.
		const lastRows = state === 'waiting' ? statusRows(textRows(screen.lines())) : [];
		const isSame = shown?.state === state;
		if (isSame && lastRows.join('\n') === shown?.lastRows.join('\n')) return;
		const begun = isSame && shown !== undefined ? shown.since : timestamp(clock, clock.elapsed() - since);
		shown = {state, since: begun, lastRows};
		onStatus(shown);
	};
	return {
		wrote: () => {
			wroteAt = clock.elapsed();
			lookIn(lookIntervalMs);
		},
		typed: bytes => {
			const now = clock.elapsed();
			const isSubmitted = [...typing.push(bytes)].some(({type}) => type === 'submit');
			echoUntil = isSubmitted ? Number.NEGATIVE_INFINITY : now + echoMs;
			if (isFocusReport(bytes)) return;
			typedAt = now;
			lookIn(lookIntervalMs);
		},
		resized: () => {
			echoUntil = clock.elapsed() + echoMs;
		},
		called: () => {
			calledAt = clock.elapsed();
			// The question may be drawn after the call.
			lookIn(lookIntervalMs);
		},
		end: () => {
			isOver = true;
			next?.cancel();
		},
	};
};
