import {createHash} from 'node:crypto';
import type {ActionContext} from '../../actions/context.ts';
import type {ErrorCode} from '../../domain/error-table.ts';
import type {Refusal} from '../../domain/errors.ts';
import {loadNewest} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';

const noted: ReadonlySet<ErrorCode> = new Set(['not_for_agents', 'foreign_trace', 'too_many_events']);

/**
 * Says on the log what a run was refused because agents are not people, or say too much (docs/architecture.md
 * §4), so that people see it where they see everything else; once for each thing that it tried, and at most
 * 256 of one run. The refusal stands whether this succeeds or not.
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

/** The same for whatever it was refused. */
export const noteRefused = async (
	{bus, folded}: Pick<ActionContext, 'bus' | 'folded'>,
	{traceId, agentId}: NonNullable<ActionContext['insideRun']>,
	said: string,
): Promise<void> => {
	const first = createHash('sha256').update(said).digest().readUInt8();
	const payload = {kind: 'action.refused', agentId, message: said};
	try {
		// The environment names the run, and anybody can write that.
		if (!(await loadNewest(bus, traceId, folded?.(traceId))).runs.has(agentId)) return;
		for (let tries = 0; tries < maxTries; tries++) {
			const id = `${traceId}/${agentId}/refused/${(first + tries) % maxNotes}`;
			const appended = await bus.append({traceId, agentId: 'runtime', type: 'INSIGHT', payload}, {id});
			if (!appended.ok || !appended.duplicate) return;
			if ((await messageAt(bus, traceId, appended.sequence)) === said) return;
		}
	} catch {
		// It stays in the run's own output.
	}
};

/** Of one run. Each has a number, and a note takes the next free one from that of its text. */
const maxNotes = 256;
const maxTries = 16;

/** What the note says that has the id: this one, or an earlier one. */
const messageAt = async (bus: Bus, traceId: string, sequence: number): Promise<unknown> => {
	for await (const [event] of bus.read({traceId, after: sequence - 1})) return event?.payload.message;
	return undefined;
};
