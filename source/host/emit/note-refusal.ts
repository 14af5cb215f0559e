import {createHash} from 'node:crypto';
import type {ActionContext} from '../../actions/context.ts';
import type {ErrorCode} from '../../domain/error-table.ts';
import type {Refusal} from '../../domain/errors.ts';
import {loadNewest} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';

const noted: ReadonlySet<ErrorCode> = new Set(['not_for_agents', 'foreign_trace', 'too_many_events']);

/**
 * Appends a note on what a run was refused, because agents are not people or emit too much
 * (docs/architecture.md §4). So people see it where they see everything else. One note per thing that the run
 * tried, and at most 256 per run. The refusal stands whether or not this succeeds.
 *
 * @param tried a command line, when the refusal does not name what was tried
 */
export const noteRefusal = async (
	{insideRun, ...ports}: Pick<ActionContext, 'bus' | 'folded' | 'insideRun'>,
	{code, message}: Refusal,
	tried?: string,
): Promise<void> => {
	if (!noted.has(code) || insideRun === undefined) return;
	await noteRefused(ports, insideRun, tried === undefined ? message : `${tried}: ${message}`);
};

/** Appends the same kind of note for any other refusal. */
export const noteRefused = async (
	{bus, folded}: Pick<ActionContext, 'bus' | 'folded'>,
	{traceId, agentId}: NonNullable<ActionContext['insideRun']>,
	message: string,
): Promise<void> => {
	const first = createHash('sha256').update(message).digest().readUInt8();
	const payload = {kind: 'action.refused', agentId, message};
	try {
		// Checked because any process can set the environment that names the run.
		if (!(await loadNewest(bus, traceId, folded?.(traceId))).runs.has(agentId)) return;
		for (let tries = 0; tries < maxTries; tries++) {
			const id = `${traceId}/${agentId}/refused/${(first + tries) % maxNotes}`;
			const appended = await bus.append({traceId, agentId: 'runtime', type: 'INSIGHT', payload}, {id});
			if (!appended.ok || !appended.duplicate) return;
			if ((await messageAt(bus, traceId, appended.sequence)) === message) return;
		}
	} catch {
		// The refusal stays in the run's own output.
	}
};

/** Per run. A note's number is derived from its text; if that is taken, it takes the next free one. */
const maxNotes = 256;
const maxTries = 16;

/** Returns the message of the event at that sequence: this note, or an earlier one with the same id. */
const messageAt = async (bus: Bus, traceId: string, sequence: number): Promise<unknown> => {
	for await (const [event] of bus.read({traceId, after: sequence - 1})) return event?.payload.message;
	return undefined;
};
