/**
 * The failpoints: instants between two effects at which a crash of hive is known to be recoverable
 * (docs/reliability.md §5). Each is named by what has just become true; the comment says what has not.
 */
export const crashPoints = [
	/** The log has the approval in the landing queue; nothing was checked or merged. */
	'landing.requested',
	/** The log has the result of a landing's check; it has neither landed nor left. */
	'landing.checked',
	/** The log has the claim, so a unit is spent and the run is open; nothing of the run is on disk. */
	'run.claimed',
	/** Git has the trace's worktree on record, marked as unfinished; it has no files. */
	'worktree.added',
	/** The worktree is complete; no run works in it. */
	'worktree.made',
	/** The run directory holds all that its agent needs; no supervisor was started. */
	'run.prepared',
	/** The supervisor process exists; whether it has begun is not known. */
	'run.launched',
	/** The reason for stopping a run is noted; all its processes still run. */
	'run.stopping',
	/** The run's whole process tree has ended; the run was not collected. */
	'run.stopped',
	/** The processes that an ended run left behind are stopped; its results were not read. */
	'run.swept',
	/** The objects of a contained run are in the repository; its branch has not moved. */
	'contained.objects',
	/** The log has a deferred event; the queue still has it. */
	'deferred.published',
	/** The queue no longer has it; the events behind it in the queue are unpublished. */
	'deferred.resolved',
	/** The result of a run is written; the log has only the run's own events. */
	'run.recorded',
	/** The proposal of a run is stored and described; the log does not have it. */
	'proposal.made',
	/** The log has an event that the runtime emits about a run; the run's audit log does not. */
	'event.said',
	/** The audit log has it too; the events that follow it were not emitted. */
	'event.noted',
	/** All events of a run are emitted and written, except that it has finished. */
	'run.reported',
	/** The log has the end of a run; no reactor has acted on it. */
	'run.finished',
	/** The log has an emitted event; neither the audit log nor the program that emitted it knows. */
	'emit.appended',
	/** A trace has changed; its projected files are as before. */
	'projection.due',
	/** The projected files of a trace are up to date; the reactor's cursor is as before. */
	'projection.written',
	/** The cursor is saved; the next event was not considered. */
	'cursor.saved',
	/** Traces have changed since their checkpoints; none is written. */
	'checkpoint.due',
	/** The checkpoints are up to date; the process that wrote them still holds the reactor's lock. */
	'checkpoint.written',
	/** A person has killed a trace; its runs still run. */
	'trace.killed',
	/** The forge has the branch of an approved request; the request is not open. */
	'forge.pushed',
	/** The request is open at the forge; the log does not have its number. */
	'forge.opened',
	/** The log has the request; comments that it settles are not answered. */
	'forge.recorded',
	/** A comment is answered at the forge; the log does not have that. */
	'forge.answered',
	/** The issue has the comment that claims it; no trace has begun from it. */
	'forge.claimed',
	/** The comment on an issue is up to date; the log does not have that. */
	'forge.noted',
	/** The log says that a request was merged; the base is not fetched, and its review is open. */
	'forge.merged',
	/** It is known what an approval would merge; nothing is claimed. */
	'merge.planned',
	/** The log has the claim of the merge; git is as before. */
	'merge.claimed',
	/** All of the trace's worktree is committed on its branch. */
	'merge.committed',
	/** The merge commit is written down, or the branch is recorded as left; the base has not moved. */
	'merge.recorded',
	/**
	 * Unsaved files that are in the way are kept as a commit; what is to become of them is not written down.
	 */
	'merge.kept',
	/** The state of the files and the index after the merge is written down; no file has moved. */
	'merge.journaled',
	/** One more file is in its state after the merge; the files after it are not. */
	'merge.fileMoved',
	/** All files are in their state after the merge; index and base are not. */
	'merge.filesMoved',
	/** The index is in its state after the merge; the base is not. */
	'merge.indexMoved',
	/** The base has the merge; its journal was not removed. */
	'merge.baseMoved',
	/** The upstream of a shared base has the merge; the base here has not moved. */
	'shared.pushed',
	/** The merge is complete; its worktree was not removed. */
	'merge.made',
	/** The worktree is removed; the log does not have the completion of the task. */
	'merge.cleared',
	/** The log has the claim of an update; the worktree is as before. */
	'update.claimed',
	/** All of the worktree is committed on its branch; the base is not merged in. */
	'update.committed',
	/** One more file of the worktree has the base's work; the files after it do not. */
	'update.fileMoved',
	/** The worktree has the base's work; the log does not show it. */
	'update.merged',
	/** The log has the result of the update; the claim is open. */
	'update.said',
	/** An old worktree is removed; others that are due may still be there. */
	'prune.worktreeRemoved',
	/** A stored tree is released; others that are due may still be stored. */
	'prune.filesForgotten',
	/** The log has the permanent end of a trace; everything that the trace left is still there. */
	'purge.said',
	/** The worktree of a purged trace is removed; its branch and refs are not. */
	'purge.worktreeRemoved',
	/** Branch and refs of a purged trace are removed; its run directory is not. */
	'purge.refsRemoved',
	/** The run directory of a purged trace is removed; the log still has all of its events. */
	'purge.runsRemoved',
	/** The objects of a trace that is being taken are in this repository; no ref names them. */
	'take.fetched',
	/** The refs of a trace that is being taken are here; in the log it still belongs to another checkout. */
	'take.adopted',
	/** The folder for restored files exists; no file is in it. */
	'restore.folderMade',
	/** The files are restored; the result was not reported. */
	'restore.written',
	/** The position of a card in its chat is noted; the card is not sent. */
	'chat.sending',
	/** A card is sent or updated; that is not noted. */
	'chat.sent',
	/** The content of a chat message is noted; other messages may still be due. */
	'chat.noted',
	/** A person's act in a chat is noted on its card; the platform did not get an acknowledgement. */
	'chat.heard',
	/** The action of a pressed button has begun; it has had no effect yet. */
	'chat.acting',
	/** The action is done; the card does not show it. */
	'chat.acted',
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/** Called when a crash point is reached, between the effects around it. */
export type Failpoint = (point: CrashPoint) => void;
