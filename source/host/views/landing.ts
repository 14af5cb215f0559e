import {type Trace, titleOrId} from '../../domain/trace.ts';
import {landingChecks, landingQueue} from '../../ledger/landing-queue.ts';

/** A place in the landing queue, as scripts read it. */
export type LandingView = {
	readonly traceId: string;
	readonly taskId: string;
	readonly position: number;
	/** The tree that is checked, else the one that was approved. */
	readonly tree: string;
	readonly state: 'waiting' | 'checking' | 'landing';
	/** When it was approved (UTC, RFC 3339). */
	readonly since: string;
};

/** The landing queue in the order in which it lands. */
export const landingViews = (traces: Iterable<Trace>): readonly LandingView[] =>
	landingQueue(traces).map(({trace, landing, position, state}) => ({
		...{traceId: trace.traceId, taskId: landing.taskId, position},
		tree: landingChecks(trace).findLast(({status}) => status === 'running')?.lands ?? landing.tree,
		...{state, since: landing.at},
	}));

const stateWords: Readonly<Record<LandingView['state'], string>> = {
	waiting: 'waits for its checks',
	checking: 'its checks run',
	landing: 'is being merged',
};

/** A landing in one line, for people: `2nd on main: its checks run`. */
export const formatLanding = (trace: Trace, position: number, state: LandingView['state']): string =>
	`${titleOrId(trace)}: number ${position} on ${trace.landing?.base ?? ''}, ${stateWords[state]}`;
