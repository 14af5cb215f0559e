import type {StoredEvent} from '../domain/event.ts';
import type {Invite} from '../domain/invite.ts';
import type {Roster} from '../domain/roster.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import type {Notes, Trace} from '../domain/trace.ts';

/**
 * For a record with fields that may be absent: set one by one it is made, and copied, much faster than spread
 * together.
 */
export type Mutable<Value> = {-readonly [Key in keyof Value]: Value[Key]};

/** The newest problems are kept; the log has them all. */
const keptProblems = 20;

/**
 * A trace being folded: a working copy that is written in place while the snapshot it came from stays as it
 * was. Each roster is copied at its first write, so an event that moves no task copies none. A class because
 * folding makes one for every event.
 */
export class Draft {
	readonly trace: Mutable<Trace>;
	/** Tasks that became ready while this draft was folded, in that order. */
	readonly ready: string[] = [];
	#tasks: Roster<Task> | undefined;
	#runs: Roster<RunRecord> | undefined;
	#notes: Roster<Notes> | undefined;
	#invites: Roster<Invite> | undefined;

	constructor(from: Trace) {
		this.trace = {...from};
	}

	task(taskId: string): Task | undefined {
		return this.trace.tasks.get(taskId);
	}

	run(agentId: string): RunRecord | undefined {
		return this.trace.runs.get(agentId);
	}

	putTask(task: Task): void {
		if (this.#tasks === undefined) {
			this.#tasks = this.trace.tasks.copy();
			this.trace.tasks = this.#tasks;
		}
		this.#tasks.put(task.taskId, task);
	}

	putRun(run: RunRecord): void {
		if (this.#runs === undefined) {
			this.#runs = this.trace.runs.copy();
			this.trace.runs = this.#runs;
		}
		this.#runs.put(run.agentId, run);
	}

	putNotes(notes: Notes): void {
		if (this.#notes === undefined) {
			this.#notes = this.trace.notes.copy();
			this.trace.notes = this.#notes;
		}
		this.#notes.put(notes.taskId, notes);
	}

	/** A roster that was put in the place of its own is copied anew. */
	putInvite(invite: Invite): void {
		if (this.#invites === undefined || this.#invites !== this.trace.invites) {
			this.#invites = this.trace.invites.copy();
			this.trace.invites = this.#invites;
		}
		this.#invites.put(invite.inviteId, invite);
	}

	problem({sequence}: StoredEvent, message: string): void {
		this.trace.problems = [...this.trace.problems, {sequence, message}].slice(-keptProblems);
	}
}
