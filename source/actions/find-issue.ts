import type {ForgeSettings} from '../colony/forge.ts';
import {issueNumberAt} from '../colony/forge.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {issueName} from '../domain/issue.ts';
import {hasBegun, type Trace, titleOrId} from '../domain/trace.ts';
import {findTraceOfIssue, isIssueOpen} from '../ledger/issues.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {ForgeIssue} from '../ports/forge.ts';
import type {ActionContext} from './context.ts';

/**
 * Reads an issue at the forge with the token of this person.
 *
 * @param at `accepted`: what a person has accepted with `hive init`; `folder`: the machine-local directory of
 * this checkout
 */
export type ReadIssue = (
	at: {readonly settings: ForgeSettings; readonly accepted: ReadonlySet<string>; readonly folder: string},
	number: number,
) => Promise<Outcome<ForgeIssue>>;

/** An issue that a trace is to begin from. */
export type FoundIssue = {readonly settings: ForgeSettings; readonly issue: ForgeIssue};

/**
 * Finds the issue that a person names, at the forge of the colony; undefined if they name none. A text that
 * is only `#12`, or only the address of an issue, names it too. Refuses a closed issue, and one on which a
 * trace works already.
 */
export const findIssue = async (
	context: ActionContext,
	{issue: named, text = ''}: {readonly issue?: string | undefined; readonly text?: string | undefined},
): Promise<Outcome<FoundIssue | undefined>> => {
	const {forge: settings} = context.colony;
	if (named === undefined && (settings === undefined || !isReference(text))) return accepted(undefined);
	if (settings === undefined)
		return refuse('no_forge', {
			message: 'The colony names no forge, so hive cannot read the issue.',
			hint: 'Write "forge" into .hive/colony.yaml: docs/guide/pull-requests.md shows it.',
		});
	const number = issueNumberAt(settings, named ?? text);
	if (number === undefined && named === undefined) return accepted(undefined);
	if (number === undefined)
		return refuse('usage', {
			message: `"${named}" is no issue of ${settings.repository}.`,
			hint: 'Name it by its number, as 12, or by its address.',
		});
	const busy = await findBusy(context, settings, number);
	if (busy !== undefined) return refuseTaken(busy, number);
	if (context.readIssue === undefined) return refuse('forge_unreachable');
	const read = await context.readIssue(number);
	if (!read.ok) return read;
	return read.value.isOpen
		? accepted({settings, issue: read.value})
		: refuse('issue_closed', {message: `The issue #${number} of ${settings.repository} is closed.`});
};

/** A number alone is a request in words, so it needs its sign. */
const isReference = (text: string): boolean => /^\s*(?:#\d+|https?:\/\/\S+)\s*$/.test(text);

const findBusy = async (
	{bus}: Pick<ActionContext, 'bus'>,
	settings: ForgeSettings,
	number: number,
): Promise<Trace | undefined> => {
	const traces = [...(await openLedger(bus)).traces().values()];
	return findTraceOfIssue(
		traces.filter(trace => isIssueOpen(trace) && hasBegun(trace)),
		settings,
		number,
	);
};

const refuseTaken = (trace: Trace, number: number) =>
	refuse('issue_taken', {
		message: `The issue #${number} is worked on already, in ${titleOrId(trace)} (${trace.traceId}).`,
		hint: `Look at it with "hive trace show ${trace.traceId}". To begin anew, first end it with "hive kill --trace ${trace.traceId}".`,
	});

/** Refuses an issue for a trace that has begun. */
export const refuseLateIssue = (trace: Trace, found: FoundIssue | undefined) =>
	found === undefined || !hasBegun(trace)
		? undefined
		: refuse('usage', {
				message: `The trace ${trace.traceId} has begun, and ${issueName(found.issue)} begins a trace of its own.`,
				hint: 'Leave out --trace.',
			});

/** The event that says from which issue a trace began; none where the log has it. */
export const issueEvents = (
	{by}: Pick<ActionContext, 'by'>,
	{traceId, issue: known}: Trace,
	found: FoundIssue | undefined,
): readonly HiveEvent[] => {
	if (found === undefined || known !== undefined) return [];
	const {settings, issue} = found;
	const {provider, repository} = settings;
	const payload = {kind: 'issue.taken', number: issue.number, url: issue.url, provider, repository};
	return [{traceId, agentId: by, type: 'SIGNAL', payload}];
};
