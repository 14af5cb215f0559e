import {setMaxListeners} from 'node:events';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createHighlighter} from '../highlight/highlighter.ts';
import {colourShown} from './colour-shown.ts';
import {startFeeds} from './feeds.ts';
import type {DashboardEnd, HandleContext} from './handle/context.ts';
import {handlePress} from './handle/press.ts';
import type {Press} from './keys/press.ts';
import {startNotifying} from './notify/notify.ts';
import {showSession} from './session/show-session.ts';
import {colonyText} from './store/colony-text.ts';
import {initialState} from './store/initial-state.ts';
import {onChange} from './store/on-change.ts';
import {talkKeyboard} from './store/program.ts';
import type {Size, State} from './store/state.ts';
import {createStore} from './store/store.ts';
import {lent, resized} from './store/terminal-changes.ts';
import {recalled} from './store/trace-list-changes.ts';
import {discardTyped} from './terminal/discard-typed.ts';
import {focusFilter} from './terminal/focus-filter.ts';
import {inkStdin} from './terminal/ink-stdin.ts';
import {inkStdout} from './terminal/ink-stdout.ts';
import {type ColorMode, lookOf} from './terminal/look.ts';
import {createScreen} from './terminal/screen.ts';
import {onEndings, stopUntilContinued} from './terminal/signals.ts';
import type {World} from './world.ts';

export type Terminal = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly color: ColorMode;
	/** One of `dark`, `light`, `high-contrast`. Defaults to HIVE_THEME, else dark. */
	readonly theme?: string;
	/** `paintSkeleton` was called, so the first frame is drawn over it without clearing. */
	readonly isPainted?: boolean;
	/** Aborted if a signal came before the dashboard listened for any. */
	readonly signal?: AbortSignal;
};

/** Debounce of resizes, in milliseconds. */
const resizePause = 50;

/**
 * Shows the dashboard until the person leaves it or a signal ends it. Restores the terminal in every case.
 * Refused without a terminal.
 */
export const startDashboard = async (world: World, terminal: Terminal): Promise<Outcome<DashboardEnd>> => {
	const {stdin, stdout} = terminal;
	if (!stdin.isTTY || !stdout.isTTY) return refuse('not_a_terminal');
	const store = createStore(
		recalled(world.remembered)(initialState(sizeOf(stdout), world.now(), colonyText(world))),
	);
	const trueColor = /^(truecolor|24bit)$/.test(terminal.env.COLORTERM ?? '');
	const look = lookOf(terminal.env, terminal.color, terminal.theme);
	const screen = createScreen(text => stdout.write(text), terminal.isPainted);
	const ending = new AbortController();
	// Each feed listens to this signal, and there are more feeds than Node's default limit for listeners.
	setMaxListeners(0, ending.signal);
	world.faults.measure(() => sizesOf(store.getState()));
	startFeeds(world, store, ending.signal);
	if (look.theme !== 'no-color')
		colourShown(createHighlighter(readerOfCode, ending.signal), store, ending.signal);
	const {listener} = showSession(world, store, ending.signal);
	let hasFocus = false;
	const keyboard = inkStdin(
		stdin,
		listener,
		focusFilter(has => {
			hasFocus = has;
		}),
	);
	startNotifying({world, store, screen, hasFocus: () => hasFocus, signal: ending.signal});

	return new Promise((resolve, reject) => {
		let mountApp: Mount | undefined;
		let instance: ReturnType<Mount> | undefined;
		/**
		 * Mounts the app. Does nothing if it is mounted, not loaded yet, or if another program has the terminal.
		 */
		const show = (): void => {
			if (mountApp === undefined || instance !== undefined) return;
			if (ending.signal.aborted || store.getState().isLent) return;
			take();
			const onPress = (press: Press): void => handlePress(context, press);
			const {size} = store.getState();
			instance = mountApp(
				{store, theme: look.theme, header: world.header, onPress},
				{stdin: keyboard, stdout: inkStdout(stdout, size, look.ascii), trueColor},
			);
			instance.waitUntilExit().catch(fail);
		};
		/** Raw mode comes first: some terminals report the focus at once, which must not be echoed. */
		const take = (): void => {
			stdin.setRawMode(true);
			screen.enter();
		};
		const fail = (fault: unknown): void => {
			if (ending.signal.aborted) return;
			ending.abort();
			// Ink has restored the terminal, which would echo further keys.
			stdin.setRawMode(true);
			discardTyped();
			hide();
			reject(fault);
		};
		const unmount = (): void => {
			instance?.unmount();
			instance = undefined;
		};
		const hide = (): void => {
			unmount();
			stdin.setRawMode(false);
			stdin.pause();
			screen.leave();
			// The focus is not reported while another program has the terminal.
			hasFocus = false;
		};
		/** Deferred by a turn, so that keys read together with the one that requests this are handled first. */
		const redraw = (): void =>
			void setImmediate(() => {
				if (instance === undefined) return;
				unmount();
				screen.clear();
				show();
			});
		const released = async <Value>(work: () => Promise<Value>): Promise<Value> => {
			store.dispatch(lent(true));
			hide();
			// Ink's listeners are removed a turn later, and only then does a pause stop reading. Otherwise input
			// for the other program would be read here.
			await turn();
			stdin.pause();
			// The pause takes effect a turn later. Without this wait it would stop reading after the app is shown
			// again.
			await turn();
			try {
				return await work();
			} finally {
				store.dispatch(lent(false));
				show();
			}
		};
		const finish = (end: DashboardEnd): void => {
			if (ending.signal.aborted) return;
			ending.abort();
			hide();
			resolve(accepted(end));
		};
		const context: HandleContext = {
			store,
			world,
			screen,
			redraw,
			released,
			trueColor,
			signal: ending.signal,
			suspend: () => void released(() => stopUntilContinued(world)),
			finish,
		};
		onChange(store, ending.signal, state => screen.setKeyboard(talkKeyboard(state)));
		const end = (exitCode: number): void => finish({exitCode, bees: 'leave'});
		onEndings(ending.signal, {
			restore: screen.leave,
			crashed: () => {
				discardTyped();
				screen.leave();
			},
			end,
		});
		onResize(stdout, ending.signal, size => {
			store.dispatch(resized(size));
			redraw();
		});
		// The window was closed, or its connection was lost. The error may repeat while the terminal is restored.
		stdin.on('error', () => end(exitCodes.hungUp));
		const leave = (): void => end(exitCodes.terminated);
		terminal.signal?.addEventListener('abort', leave, {once: true, signal: ending.signal});
		if (terminal.signal?.aborted) return leave();
		take();
		import('./mount.tsx')
			.then(loaded => {
				mountApp = loaded.mountApp;
				show();
			})
			.catch(fail);
	});
};

const turn = (): Promise<void> => new Promise(setImmediate);

/** The highlighter is beside the bundle of the dashboard. */
const readerOfCode = new URL('highlight-code.cjs', import.meta.url);

type Mount = typeof import('./mount.tsx').mountApp;

const sizesOf = ({traces, events, sessions, log}: State) => {
	const all = [...traces.values()];
	return {
		traces: traces.size,
		tasks: all.reduce((sum, {tasks}) => sum + tasks.size, 0),
		runs: all.reduce((sum, {runs}) => sum + runs.size, 0),
		sessions: sessions.length,
		events: events.length,
		'lines of the log': log.lines.length,
	};
};

const sizeOf = ({columns, rows}: NodeJS.WriteStream): Size => ({columns: columns || 80, rows: rows || 24});

const onResize = (stdout: NodeJS.WriteStream, signal: AbortSignal, call: (size: Size) => void): void => {
	let timer: NodeJS.Timeout | undefined;
	const later = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => call(sizeOf(stdout)), resizePause);
	};
	stdout.on('resize', later);
	signal.addEventListener('abort', () => {
		clearTimeout(timer);
		stdout.off('resize', later);
	});
};
