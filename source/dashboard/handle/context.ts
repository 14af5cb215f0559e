import type {Store} from '../store/store.ts';
import type {TerminalControl} from '../terminal/terminal-control.ts';
import type {DashboardServices} from '../world.ts';

/** How the dashboard ended. */
export type DashboardEnd = {
	/** Exit code (docs/architecture.md §9). */
	readonly exitCode: number;
	/** Whether the bees of a reactor in this process go on or are stopped. */
	readonly bees: 'leave' | 'stop';
};

/** What key handlers may use. */
export type HandleContext = {
	readonly store: Store;
	readonly world: DashboardServices;
	readonly screen: Pick<TerminalControl, 'copy' | 'setMouse'>;
	/** Redraws the whole screen. */
	readonly redraw: () => void;
	/** Suspends the UI and releases the terminal while the work runs. */
	readonly suspendUi: <Value>(work: () => Promise<Value>) => Promise<Value>;
	/** True if the terminal shows 24-bit colours. */
	readonly trueColor: boolean;
	/** Aborted when the dashboard is closed. */
	readonly signal: AbortSignal;
	/** Stops the process until SIGCONT. */
	readonly suspendProcess: () => void;
	readonly finish: (end: DashboardEnd) => void;
};

/** Performs an action. */
export type Handler = (context: HandleContext) => void;
