import type {StoredEvent} from '../domain/event.ts';
import type {Invite} from '../domain/invite.ts';
import type {Roster} from '../domain/roster.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {type Notes, rosterOfTasks, type Trace} from '../domain/trace.ts';

/**
 * For a record with optional fields. Assigning the fields one by one is much faster, also to copy, than
 * spreading.
 */
export type Mutable<Value> = {-readonly [Key in keyof Value]: Value[Key]};

/** Maximum number of problems kept, the newest; the log has them all. */
const keptProblems = 20;

/**
 * A trace while it is folded: a working copy that is changed in place. The snapshot that it came from stays
 * unchanged. Each roster is copied at its first write, so an event that moves no task copies none. It is a
 * class because folding creates one for every event.
 */
export class Draft {
	readonly trace: Mutable<Trace>;
	/** Tasks that became ready while this draft was folded, in order. */
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

	/** Replaces all tasks, also their order. */
	replaceTasks(tasks: Iterable<Task>): void {
		this.#tasks = rosterOfTasks(tasks);
		this.trace.tasks = this.#tasks;
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

	/** Copies the roster again if a fold has replaced it. */
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
