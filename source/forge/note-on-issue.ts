import {runtimeAgent} from '../domain/event.ts';
import type {Trace} from '../domain/trace.ts';
import {isNoteDue, stageKey} from '../ledger/issues.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {ForgeError, type ForgeTrouble} from '../ports/forge.ts';
import type {ForgeContext} from './context.ts';
import {type Claim, claimMarker, currentNote} from './issue-note.ts';

/** What trying again does not mend. */
const lasting: readonly ForgeTrouble[] = ['unauthorized', 'forbidden', 'not_found', 'refused', 'invalid'];

/**
 * Brings the comment on the issue of a trace up to date, if there is anything new to say. The comment is
 * found again by its marker, so a repeated call after a crash changes nothing. Returns true if it was
 * written.
 */
export const noteOnIssue = async (ports: ForgeContext, traceId: string): Promise<boolean> => {
	const {context, settings, forge} = ports;
	const trace = await loadTrace(context.bus, traceId);
	const {issue} = trace;
	if (issue === undefined || !isNoteDue(trace, settings)) return false;
	const claim = claimOf(ports, trace);
	try {
		const note = {text: currentNote(claim, trace), marker: claimMarker(claim)};
		await forge.noteOnIssue(issue.number, note);
	} catch (error) {
		if (!(error instanceof ForgeError) || !lasting.includes(error.trouble)) throw error;
		ports.report(`The comment on issue #${issue.number} was not written. ${error.message}`);
		await recordNote(ports, trace, error.message);
		return false;
	}
	context.failpoint('forge.noted');
	await recordNote(ports, trace);
	return true;
};

/** Records what the comment on the issue says now, or why it could not be written. */
export const recordNote = async (
	{context: {bus}}: Pick<ForgeContext, 'context'>,
	trace: Trace,
	reason = '',
): Promise<void> => {
	const {traceId, sequence} = trace;
	const payload = {kind: 'issue.noted', noted: stageKey(trace), ...(reason && {reason})};
	await bus.append(
		{traceId, agentId: runtimeAgent, type: 'SIGNAL', payload},
		{id: `${traceId}/issue/noted/${sequence}`},
	);
};

const claimOf = (
	{context: {colony, checkout}}: Pick<ForgeContext, 'context'>,
	{traceId, place = checkout}: Trace,
): Claim => ({traceId, place, colony: colony.id ?? colony.slug});
