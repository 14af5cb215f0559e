import {setMaxListeners} from 'node:events';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {createHighlighter} from '../highlight/highlighter.ts';
import {startFeeds} from './feeds.ts';
import type {DashboardEnd, HandleContext} from './handle/context.ts';
import {handleInput} from './handle/handle-input.ts';
import {highlightVisibleFiles} from './highlight-visible-files.ts';
import type {InputEvent} from './keys/input-event.ts';
import {startNotifying} from './notify/notify.ts';
import {showSession} from './session/show-session.ts';
import {colonyText} from './store/colony-text.ts';
import {initialState} from './store/initial-state.ts';
import {onChange} from './store/on-change.ts';
import {passthroughKeyboard} from './store/program.ts';
import type {Size, State} from './store/state.ts';
import {createStore} from './store/store.ts';
import {setSize, setSuspended} from './store/terminal-changes.ts';
import {restoreChoices} from './store/trace-list-changes.ts';
import {startTeaching} from './teach.ts';
import {discardInput} from './terminal/discard-input.ts';
import {focusFilter} from './terminal/focus-filter.ts';
import {inkStdin} from './terminal/ink-stdin.ts';
import {inkStdout} from './terminal/ink-stdout.ts';
import {onProcessEnd, stopUntilContinued} from './terminal/signals.ts';
import {createTerminalControl} from './terminal/terminal-control.ts';
import {type ColorMode, readThemeSettings} from './terminal/theme-settings.ts';
import type {DashboardServices} from './world.ts';

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
const resizeDebounceMs = 50;

/**
 * Shows the dashboard until the person leaves it or a signal ends it. Restores the terminal in every case.
 * Refused without a terminal.
 */
export const startDashboard = async (
	services: DashboardServices,
	terminal: Terminal,
): Promise<Outcome<DashboardEnd>> => {
	const {stdin, stdout} = terminal;
	if (!stdin.isTTY || !stdout.isTTY) return refuse('not_a_terminal');
	const store = createStore(
		restoreChoices(services.preferences)(
			initialState(terminalSize(stdout), services.now(), colonyText(services)),
		),
	);
	const trueColor = /^(truecolor|24bit)$/.test(terminal.env.COLORTERM ?? '');
	const themeSettings = readThemeSettings(terminal.env, terminal.color, terminal.theme);
	const terminalControl = createTerminalControl(text => stdout.write(text), terminal.isPainted);
	const endController = new AbortController();
	// Each feed listens to this signal, and there are more feeds than Node's default limit for listeners.
	setMaxListeners(0, endController.signal);
	services.faults.measure(() => measureState(store.getState()));
	startFeeds(services, store, endController.signal);
	if (themeSettings.theme !== 'no-color')
		highlightVisibleFiles(
			createHighlighter(highlighterScript, endController.signal),
			store,
			endController.signal,
		);
	const {listener} = showSession(services, store, endController.signal);
	let hasFocus = false;
	const keyboard = inkStdin(
		stdin,
		listener,
		focusFilter(has => {
			hasFocus = has;
		}),
	);
	startNotifying({
		world: services,
		store,
		screen: terminalControl,
		hasFocus: () => hasFocus,
		signal: endController.signal,
	});

	return new Promise((resolve, reject) => {
		let mountApp: Mount | undefined;
		let instance: ReturnType<Mount> | undefined;
		/**
		 * Mounts the app. Does nothing if it is mounted, not loaded yet, or if another program has the terminal.
		 */
		const showApp = (): void => {
			if (mountApp === undefined || instance !== undefined) return;
			if (endController.signal.aborted || store.getState().isSuspended) return;
			acquireTerminal();
			const onInput = (event: InputEvent): void => handleInput(context, event);
			const {size} = store.getState();
			instance = mountApp(
				{store, theme: themeSettings.theme, header: services.header, onInput},
				{stdin: keyboard, stdout: inkStdout(stdout, size, themeSettings.ascii), trueColor},
			);
			instance.waitUntilExit().catch(fail);
		};
		/** Raw mode comes first: some terminals report the focus at once, which must not be echoed. */
		const acquireTerminal = (): void => {
			stdin.setRawMode(true);
			terminalControl.enter();
		};
		const fail = (fault: unknown): void => {
			if (endController.signal.aborted) return;
			endController.abort();
			// Ink has restored the terminal, which would echo further keys.
			stdin.setRawMode(true);
			discardInput();
			releaseTerminal();
			reject(fault);
		};
		const unmount = (): void => {
			instance?.unmount();
			instance = undefined;
		};
		const releaseTerminal = (): void => {
			unmount();
			stdin.setRawMode(false);
			stdin.pause();
			terminalControl.leave();
			// The focus is not reported while another program has the terminal.
			hasFocus = false;
		};
		/** Deferred by a turn, so that keys read together with the one that requests this are handled first. */
		const redraw = (): void =>
			void setImmediate(() => {
				if (instance === undefined) return;
				unmount();
				terminalControl.clear();
				showApp();
			});
		const suspendUi = async <Value>(work: () => Promise<Value>): Promise<Value> => {
			store.dispatch(setSuspended(true));
			releaseTerminal();
			// Ink's listeners are removed a turn later, and only then does a pause stop reading. Otherwise input
			// for the other program would be read here.
			await nextTurn();
			stdin.pause();
			// The pause takes effect a turn later. Without this wait it would stop reading after the app is shown
			// again.
			await nextTurn();
			try {
				return await work();
			} finally {
				store.dispatch(setSuspended(false));
				showApp();
			}
		};
		const finish = (end: DashboardEnd): void => {
			if (endController.signal.aborted) return;
			endController.abort();
			releaseTerminal();
			resolve(accepted(end));
		};
		const context: HandleContext = {
			store,
			world: services,
			screen: terminalControl,
			redraw,
			suspendUi,
			trueColor,
			signal: endController.signal,
			suspendProcess: () => void suspendUi(() => stopUntilContinued(services)),
			finish,
		};
		onChange(store, endController.signal, state => terminalControl.setKeyboard(passthroughKeyboard(state)));
		const end = (exitCode: number): void => finish({exitCode, bees: 'leave'});
		onProcessEnd(endController.signal, {
			restore: terminalControl.leave,
			onCrash: () => {
				discardInput();
				terminalControl.leave();
			},
			onEnd: end,
		});
		onResize(stdout, endController.signal, size => {
			store.dispatch(setSize(size));
			redraw();
		});
		// The window was closed, or its connection was lost. The error may repeat while the terminal is restored.
		stdin.on('error', () => end(exitCodes.hungUp));
		const leave = (): void => end(exitCodes.terminated);
		terminal.signal?.addEventListener('abort', leave, {once: true, signal: endController.signal});
		if (terminal.signal?.aborted) return leave();
		acquireTerminal();
		import('./mount.tsx')
			.then(loaded => {
				mountApp = loaded.mountApp;
				showApp();
				startTeaching(services, store, endController.signal);
			})
			.catch(fail);
	});
};

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/** The highlighter is beside the bundle of the dashboard. */
const highlighterScript = new URL('highlight-code.cjs', import.meta.url);

type Mount = typeof import('./mount.tsx').mountApp;

const measureState = ({traces, events, sessions, log}: State) => {
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

const terminalSize = ({columns, rows}: NodeJS.WriteStream): Size => ({
	columns: columns || 80,
	rows: rows || 24,
});

const onResize = (stdout: NodeJS.WriteStream, signal: AbortSignal, call: (size: Size) => void): void => {
	let timer: NodeJS.Timeout | undefined;
	const schedule = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => call(terminalSize(stdout)), resizeDebounceMs);
	};
	stdout.on('resize', schedule);
	signal.addEventListener('abort', () => {
		clearTimeout(timer);
		stdout.off('resize', schedule);
	});
};
