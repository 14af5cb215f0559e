import {type LandingCheck, maxLandingChecks} from '../../domain/landing.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {type LandingPlace, landingChecks} from '../../ledger/landing-queue.ts';
import type {TreeEvidence} from '../../ledger/tree-evidence.ts';
import type {PlannedLanding} from '../../workspaces/merge/plan-landings.ts';

/** A landing of this checkout, with the facts that decide on it. */
export type LandingFacts = Pick<LandingPlace, 'trace' | 'landing'> & {
	readonly plan: PlannedLanding;
	/** False if the configuration requires no check any more. */
	readonly isChecked: boolean;
	/** Usable evidence for the planned tree, whichever trace asked for it. */
	readonly evidence?: TreeEvidence | undefined;
	/** Maximum number of checks at a time. */
	readonly parallel: number;
};

export type LandingStep =
	/** Records the result of a check. */
	| {readonly do: 'report'; readonly trace: Trace; readonly check: LandingCheck}
	| {readonly do: 'leave'; readonly trace: Trace; readonly reason: string}
	| {readonly do: 'check'; readonly trace: Trace; readonly tree: string}
	| {readonly do: 'land'; readonly trace: Trace; readonly tree: string; readonly checkedBy?: string};

export type LandingDecision = {
	readonly steps: readonly LandingStep[];
	/** Open checks of trees that would not land any more. */
	readonly unwanted: ReadonlySet<string>;
};

/**
 * Returns the steps that are due in the landing queue of this checkout: at most one for each trace. Only the
 * first landing of a branch lands, or leaves because of a check: those behind it stand on its result.
 */
export const decideLandings = (queue: readonly LandingFacts[]): LandingDecision => {
	const open = queue.flatMap(({trace, plan}) =>
		openChecks(trace).map(({agentId, lands}) => ({
			agentId,
			isWanted: plan.state === 'ready' && plan.tree === lands,
		})),
	);
	const unwanted = new Set(open.filter(({isWanted}) => !isWanted).map(({agentId}) => agentId));
	let running = open.length - unwanted.size;
	const steps: LandingStep[] = [];
	for (const facts of queue) {
		const step = stepOf(facts, running < facts.parallel);
		if (step?.do === 'check') running += 1;
		if (step !== undefined) steps.push(step);
	}
	return {steps, unwanted};
};

const openChecks = (trace: Trace): readonly RunRecord[] =>
	landingChecks(trace).filter(({status}) => status === 'running');

const stepOf = (facts: LandingFacts, mayCheck: boolean): LandingStep | undefined => {
	const {trace, landing, plan, isChecked, evidence} = facts;
	if (trace.merge !== undefined) return undefined;
	const ended = unreportedCheck(trace);
	if (ended !== undefined) return {do: 'report', trace, check: ended};
	if (plan.state === 'left') return {do: 'leave', trace, reason: plan.reason};
	if (plan.state === 'behind') return undefined;
	const {tree, isFirst} = plan;
	if (!isChecked) return isFirst ? {do: 'land', trace, tree} : undefined;
	const check = landing.checks.findLast(one => one.tree === tree);
	if (check !== undefined) return isFirst ? afterCheck(facts, check) : undefined;
	if (evidence !== undefined && (evidence.passed || !landing.again))
		return {do: 'report', trace, check: {tree, passed: evidence.passed, agentId: evidence.agentId}};
	const own = landingChecks(trace).filter(({lands}) => lands === tree);
	if (own.some(({status}) => status === 'running')) return undefined;
	if (own.at(-1)?.status === 'cancelled' && isFirst)
		return {do: 'leave', trace, reason: 'Its check was stopped.'};
	if (landing.checked >= maxLandingChecks)
		return {do: 'leave', trace, reason: `${landing.base} moved too often while it was checked.`};
	return mayCheck ? {do: 'check', trace, tree} : undefined;
};

const afterCheck = ({trace, landing, evidence}: LandingFacts, check: LandingCheck): LandingStep => {
	const {tree, passed, agentId} = check;
	if (passed) return {do: 'land', trace, tree, checkedBy: agentId};
	const summary = trace.runs.get(agentId)?.summary ?? evidence?.summary ?? '';
	const reason = `The checks failed on the merge with ${landing.base}`;
	return {do: 'leave', trace, reason: summary === '' ? `${reason}.` : `${reason}: ${summary}`};
};

/** The result of an ended check that the log does not have yet. A stopped check has none. */
const unreportedCheck = (trace: Trace): LandingCheck | undefined => {
	const known = new Set(trace.landing?.checks.map(({agentId}) => agentId));
	const ended = landingChecks(trace).find(
		({agentId, status}) => (status === 'completed' || status === 'failed') && !known.has(agentId),
	);
	if (ended?.lands === undefined) return undefined;
	return {tree: ended.lands, passed: ended.status === 'completed', agentId: ended.agentId};
};
