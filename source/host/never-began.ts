import type {ActionContext} from '../actions/context.ts';
import type {Colony} from '../colony/colony.ts';
import type {StoredEvent} from '../domain/event.ts';
import {startsDirectRuns} from '../domain/event-kinds.ts';
import type {Reason} from '../domain/reason.ts';
import {lacking} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import type {Decision} from '../reactor/decide.ts';
import {isUnanswered} from '../reactor/interest.ts';
import {directRunsFor} from '../reactor/subscribers.ts';
import {isPlaceReason, placeWords} from './waits.ts';

/** A trace that was asked for and of which no run has ever begun, and why in words. */
export type NeverBegan = {
	readonly traceId: string;
	readonly why: string;
	/** What somebody has to do, where it will not begin by itself. */
	readonly next?: string;
};

/** Of an idle colony: what was asked for stands there unserved, in place of a run that could say that it failed. */
export const neverBegan = async (
	{bus, colony}: Pick<ActionContext, 'bus' | 'colony'>,
	trace: Trace,
	decide: (trace: Trace) => Decision,
): Promise<NeverBegan | undefined> => {
	const {traceId} = trace;
	if (trace.killed || trace.runs.size > 0) return undefined;
	const {waits} = decide(trace);
	const ready = [...trace.tasks.values()].find(({status}) => status === 'ready');
	if (ready !== undefined) return {traceId, why: waitWords(`its task ${ready.taskId}`, waits.task(ready))};
	const [waiting] = waits.runs();
	if (waiting !== undefined) return {traceId, why: waitWords(`a run of ${waiting.run.bee}`, waiting.reasons)};
	if (!isUnanswered(trace)) return undefined;
	const first = await firstEvent(bus, traceId);
	if (first === undefined || !isRequest(first)) return undefined;
	return {traceId, ...left(first, trace, colony)};
};

const firstEvent = async (bus: ActionContext['bus'], traceId: string): Promise<StoredEvent | undefined> => {
	for await (const [first] of bus.read({traceId, after: 0})) return first;
	return undefined;
};

/**
 * Whoever asks for work gives it honey, as each cue does; by its name `feature.requested` asks too. Any other signal may be for
 * information alone, which nobody has to answer.
 */
const isRequest = ({type, payload: {kind}, energyBudget}: StoredEvent): boolean => {
	if (type !== 'SIGNAL') return false;
	if (namesBee(kind) || kind === 'feature.requested') return true;
	return energyBudget !== undefined && startsDirectRuns({type, kind});
};

const namesBee = (kind: string): boolean => kind === 'bee.requested' || kind === 'session.requested';

const waitWords = (what: string, reasons: readonly Reason[]): string => {
	const reason = reasons.find(isPlaceReason);
	if (reason !== undefined) return `${what} waits for ${placeWords(reason)}`;
	const honey = reasons.find(one => one.for === 'honey');
	return honey === undefined ? `${what} has still to begin` : lacking[honey.lacks].words;
};

/** A bee that can be read again answers nothing that came before. */
const left = (event: StoredEvent, trace: Trace, colony: Colony): {why: string; next: string} => {
	const {kind, bee} = event.payload;
	const again = `ask again in the trace, or end it: hive kill --trace ${trace.traceId}`;
	const takers = directRunsFor(event, trace, colony).filter(run => colony.bees.has(run.bee));
	if (takers.length > 0)
		return {
			why: `${takers.map(run => run.bee).join(' and ')} did not take ${kind} when it came`,
			next: again,
		};
	const what = namesBee(kind) ? `there is no bee "${bee}"` : `no bee takes ${kind}`;
	const unread = unreadBees(colony).map(file => `${file} cannot be read`);
	return {why: [what, ...unread].join('; '), next: `once a bee takes it, ${again}`};
};

const unreadBees = ({problems}: Colony): readonly string[] => {
	const paths = problems.map(({path}) => path.replace(/:\d+$/, ''));
	return [...new Set(paths)].filter(
		path => /^\.hive\/bees\/.*\.ya?ml$/.test(path) && !/\.local\.ya?ml$/.test(path),
	);
};
