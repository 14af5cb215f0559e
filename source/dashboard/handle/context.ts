import type {Store} from '../store/store.ts';
import type {Screen} from '../terminal/screen.ts';
import type {World} from '../world.ts';

/** How the dashboard ended. */
export type DashboardEnd = {
	/** Exit code of docs/architecture.md §9. */
	readonly exitCode: number;
	/** What becomes of the bees of a reactor in this process. */
	readonly bees: 'leave' | 'stop';
};

/** What handling a key may touch. */
export type HandleContext = {
	readonly store: Store;
	readonly world: World;
	readonly screen: Pick<Screen, 'copy' | 'setMouse'>;
	/** Draws everything again, from the first row on. */
	readonly redraw: () => void;
	/** Gives the terminal away for as long as the work takes. */
	readonly released: <Value>(work: () => Promise<Value>) => Promise<Value>;
	/** The terminal shows 24-bit colours. */
	readonly trueColor: boolean;
	/** Aborted when the dashboard is left. */
	readonly signal: AbortSignal;
	/** Stops the process until SIGCONT. */
	readonly suspend: () => void;
	readonly finish: (end: DashboardEnd) => void;
};

/** Does what an action stands for. */
export type Handler = (context: HandleContext) => void;
