import type {StoredEvent} from '../../domain/event.ts';
import type {Budget} from '../../domain/reserve.ts';
import type {RunRecord, Usage} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';

/** A text of which only a part may be shown. */
export type Excerpt = {readonly text: string; readonly left: number};

/** One run and what its directory holds; empty texts when it is not there. */
export type ExportedRun = {
	readonly run: RunRecord;
	readonly prompt: Excerpt;
	readonly stdout: Excerpt;
	readonly stderr: Excerpt;
	readonly usage?: Usage;
};

/** One `code.proposal` event with its diff. */
export type ExportedProposal = {
	readonly sequence: number;
	readonly taskId: string;
	readonly workspace: 'isolated' | 'root';
	readonly summary: string;
	readonly patch: Excerpt;
};

/** Everything that is exported of a trace. Texts are redacted already. */
export type ExportedTrace = {
	readonly slug: string;
	readonly trace: Trace;
	/** The reserve of a trace that nothing has seeded. */
	readonly defaultBudget: Budget;
	/** Who works on a task that names nobody. */
	readonly defaultBee: string;
	readonly events: readonly StoredEvent[];
	/** In order of their claims. */
	readonly runs: readonly ExportedRun[];
	readonly proposals: readonly ExportedProposal[];
};
