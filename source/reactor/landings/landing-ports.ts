import type {Verify} from '../../colony/colony.ts';
import type {Outcome} from '../../domain/errors.ts';
import type {LandingPlanner} from '../../workspaces/merge/plan-landings.ts';

/** What the landing queue needs from git and from the actions. */
export type LandingPorts = {
	readonly planner: LandingPlanner;
	/**
	 * Brings the shared base of a landing up to its upstream, so that what is checked is what lands. Does
	 * nothing if merges stay in this clone. Refuses `not_shared`, and `merge_open` while another process
	 * merges.
	 */
	readonly join: (traceId: string) => Promise<Outcome<unknown>>;
	/** The fingerprint of a check in this checkout. */
	readonly fingerprint: (verify: Verify) => Promise<string>;
	/**
	 * Merges the landing if it makes exactly this tree. Refuses `stale_view` if it would make another, and
	 * `merge_open` while another process merges.
	 */
	readonly land: (
		traceId: string,
		checked: {readonly tree: string; readonly checkedBy?: string},
	) => Promise<Outcome<unknown>>;
};
