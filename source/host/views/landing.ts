import type {WithoutChecks} from '../../domain/landing.ts';
import type {Trace} from '../../domain/trace.ts';
import {type LandingPlace, landingChecks, landingQueue, positionIn} from '../../ledger/landing-queue.ts';

/** The open landings of the colony, in the order in which they land. */
export type LandingQueue = readonly LandingPlace[];

/** Returns the landing queue of the colony. */
export const queueOf = (traces: Iterable<Trace>): LandingQueue => landingQueue(traces);

/** The override with which the task was merged although required checks had not passed. */
export const mergedWithoutChecks = ({landed = []}: Trace, taskId: string): WithoutChecks | undefined =>
	landed.findLast(one => one.taskId === taskId)?.withoutChecks;

/** The position that the trace has, or that it would get if its merge into the base were approved now. */
export const positionOf = positionIn;

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

/**
 * What is known of the check that the result of a merge has to pass before it lands: by the newest evidence
 * for exactly that tree that may still be used.
 */
export type MergeCheck = {
	readonly state: 'not_required' | 'not_checked' | 'passed' | 'failed';
	/** One line, as in the run's result; empty without evidence. */
	readonly summary: string;
	/** When the check ended (UTC, RFC 3339); empty without evidence. */
	readonly at: string;
	/** The run that checked it, perhaps of another trace; empty without evidence. */
	readonly agentId: string;
	/** The end of what a failed check printed; empty otherwise. */
	readonly output: string;
};

const withoutEvidence = {summary: '', at: '', agentId: '', output: ''};
export const notRequired: MergeCheck = {state: 'not_required', ...withoutEvidence};
export const notChecked: MergeCheck = {state: 'not_checked', ...withoutEvidence};

/** The landing queue in the order in which it lands. */
export const landingViews = (traces: Iterable<Trace>): readonly LandingView[] =>
	landingQueue(traces).map(viewOf);

const viewOf = ({trace, landing, position, state}: LandingPlace): LandingView => ({
	...{traceId: trace.traceId, taskId: landing.taskId, position},
	tree: landingChecks(trace).findLast(({status}) => status === 'running')?.lands ?? landing.tree,
	...{state, since: landing.at},
});

const stateWords: Readonly<Record<LandingView['state'], string>> = {
	waiting: 'waits for its checks',
	checking: 'its checks run',
	landing: 'is being merged',
};

/** A place in the queue for people: `number 2 on main, its checks run`. */
const formatPlace = ({landing}: Trace, position: number, state: LandingView['state']): string =>
	`number ${position} on ${landing?.base ?? ''}, ${stateWords[state]}`;

/** All that a person is shown of the landings of one trace. */
export type LandingFacts = {
	/** Its place in the queue, with the same in words; null while it is not in the queue. */
	readonly queued: (LandingView & {readonly base: string; readonly by: string; readonly text: string}) | null;
	/** Why its newest approval did not land; null once it is decided again. */
	readonly left: {
		readonly taskId: string;
		readonly reason: string;
		/** The failed check and its trace, perhaps another one; null if another reason counts. */
		readonly check: {readonly traceId: string; readonly agentId: string} | null;
	} | null;
	/** Its merges that skipped required checks, oldest first. */
	readonly unchecked: readonly {
		readonly taskId: string;
		readonly tree: string;
		readonly commit: string;
		readonly base: string;
		readonly by: string;
		/** Empty if the person gave none. */
		readonly reason: string;
	}[];
};

/** Returns what reads the landing facts of a trace; the queue is put in order once. */
export const readLandings = (traces: ReadonlyMap<string, Trace>): ((trace: Trace) => LandingFacts) => {
	const places = new Map(landingQueue(traces.values()).map(place => [place.trace.traceId, place]));
	return trace => ({
		queued: queuedOf(places.get(trace.traceId)),
		left: leftOf(traces, trace),
		unchecked: (trace.landed ?? []).flatMap(({taskId, tree, commit, base, by, withoutChecks}) =>
			withoutChecks === undefined ? [] : [{taskId, tree, commit, base, by, reason: withoutChecks.reason}],
		),
	});
};

const queuedOf = (place: LandingPlace | undefined): LandingFacts['queued'] => {
	if (place === undefined) return null;
	const {trace, landing, position, state} = place;
	return {
		...viewOf(place),
		...{base: landing.base, by: landing.by, text: formatPlace(trace, position, state)},
	};
};

const leftOf = (traces: ReadonlyMap<string, Trace>, trace: Trace): LandingFacts['left'] => {
	const {landingLeft: left, tasks, killed} = trace;
	if (left === undefined || killed || tasks.get(left.taskId)?.status !== 'waiting_review') return null;
	const {taskId, reason, check} = left;
	if (check === undefined) return {taskId, reason, check: null};
	const {agentId} = check;
	const found = [trace, ...traces.values()].find(({runs}) => runs.has(agentId));
	return {taskId, reason, check: {traceId: found?.traceId ?? trace.traceId, agentId}};
};
