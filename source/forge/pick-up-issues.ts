import {runCue} from '../actions/run-cue.ts';
import {accepted, formatRefusal} from '../domain/errors.ts';
import {isIssueOf} from '../domain/issue.ts';
import {hasBegun, type Trace} from '../domain/trace.ts';
import {loadTrace, openLedger} from '../ledger/ledger.ts';
import type {ForgeIssue} from '../ports/forge.ts';
import {claimIssue, isSameWatcher} from './claim-issue.ts';
import type {ForgeContext} from './context.ts';
import type {Claim} from './issue-note.ts';
import {recordNote} from './note-on-issue.ts';

/** Looks for issues with the label of `forge.watch`, and begins a trace from each. True if one began. */
export type PickUp = (ports: ForgeContext) => Promise<boolean>;

/**
 * Creates the search for new issues. Each issue gets one trace, once. What the search has settled it does not
 * read again.
 */
export const createPickUp = (): PickUp => {
	const settled = new Set<number>();
	return async ports => {
		const {context, settings, forge, report} = ports;
		const {watch} = settings;
		if (watch === undefined) return false;
		const issues = await forge.issuesWithLabel(watch.label, settled);
		if (issues.length === 0) return false;
		const {colony} = context;
		if (!colony.cues.has(watch.cue)) {
			report(`There is no cue "${watch.cue}" for issues with the label "${watch.label}".`);
			return false;
		}
		const known = await numbersInLog(ports);
		let hasBegunAny = false;
		for (const issue of issues.toSorted((one, other) => one.number - other.number)) {
			if (!known.has(issue.number)) hasBegunAny = (await pickUp(ports, watch.cue, issue)) || hasBegunAny;
			settled.add(issue.number);
		}
		return hasBegunAny;
	};
};

/** The issues from which a trace of the log began, also one that is over. */
const numbersInLog = async ({context: {bus}, settings}: ForgeContext): Promise<ReadonlySet<number>> => {
	const numbers = new Set<number>();
	for (const trace of (await openLedger(bus)).traces().values())
		if (isIssueOf(trace.issue, settings) && isBegun(trace)) numbers.add(trace.issue.number);
	return numbers;
};

/** False where a crash left only the event that names the issue. */
const isBegun = (trace: Trace): boolean => hasBegun(trace) || trace.killed;

const pickUp = async (ports: ForgeContext, cueId: string, issue: ForgeIssue): Promise<boolean> => {
	const {context, forge, report} = ports;
	const {bus, colony, checkout, ids, failpoint} = context;
	if (issue.url === '') return false;
	const own: Claim = {traceId: ids.trace(), colony: colony.id ?? colony.slug, place: checkout};
	const claim = await claimIssue(forge, issue.number, own);
	if (!isSameWatcher(claim, own)) return false;
	failpoint('forge.claimed');
	const {traceId} = claim;
	if (isOver(await loadTrace(bus, traceId))) return false;
	// The text counts as it is now, also where the issue is edited later.
	const pinned = {...context, readIssue: async () => accepted(issue)};
	const begun = await runCue(pinned, {cueId, traceId, issue: String(issue.number)});
	if (!begun.ok) {
		report(`No trace began from issue #${issue.number}. ${formatRefusal(begun.refusal)}`);
		return false;
	}
	await recordNote(ports, await loadTrace(bus, traceId));
	return true;
};

/** True for the id of a trace that has begun, or that was purged. */
const isOver = (trace: Trace): boolean => isBegun(trace) || trace.purged !== undefined;
