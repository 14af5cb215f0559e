import type {Store} from '../store/store.ts';
import type {Screen} from '../terminal/screen.ts';
import type {World} from '../world.ts';

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
	readonly world: World;
	readonly screen: Pick<Screen, 'copy' | 'setMouse'>;
	/** Redraws the whole screen. */
	readonly redraw: () => void;
	/** Suspends the UI and releases the terminal while the work runs. */
	readonly released: <Value>(work: () => Promise<Value>) => Promise<Value>;
	/** True if the terminal shows 24-bit colours. */
	readonly trueColor: boolean;
	/** Aborted when the dashboard is closed. */
	readonly signal: AbortSignal;
	/** Stops the process until SIGCONT. */
	readonly suspend: () => void;
	readonly finish: (end: DashboardEnd) => void;
};

/** Performs an action. */
export type Handler = (context: HandleContext) => void;
