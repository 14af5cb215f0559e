import type {StoredEvent} from '../../domain/event.ts';
import type {Budget} from '../../domain/reserve.ts';
import type {RunRecord, Usage} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';

/** A text that may be cut, and how much was left out: bytes of a log or prompt, characters of a diff. */
export type Excerpt = {readonly text: string; readonly left: number};

/** One run and the contents of its directory; empty texts if that does not exist. */
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

/** Everything that is exported of a trace. Texts are already redacted. */
export type ExportedTrace = {
	readonly slug: string;
	readonly trace: Trace;
	/** The reserve of a trace that has no seed. */
	readonly defaultBudget: Budget;
	/** The bee for tasks that name none. */
	readonly defaultBee: string;
	readonly events: readonly StoredEvent[];
	/** In order of their claims. */
	readonly runs: readonly ExportedRun[];
	readonly proposals: readonly ExportedProposal[];
};
