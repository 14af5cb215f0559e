/**
 * The instants between two effects at which hive is known to go on when it dies there (docs/reliability.md
 * §5). Each is named by what has just become true; the comment says what has not.
 */
export const crashPoints = [
	/** The log has the claim, so a unit is spent and the run is open; nothing of it is on disk. */
	'run.claimed',
	/** Git has the trace's worktree on record, marked as half made; no file is in it. */
	'worktree.added',
	/** The worktree is whole; nobody works in it. */
	'worktree.made',
	/** The run directory holds what its agent needs; no supervisor was started. */
	'run.prepared',
	/** The supervisor is a process of its own; whether it has begun is not known. */
	'run.launched',
	/** Why a run is to be stopped is noted; all of it runs. */
	'run.stopping',
	/** The run's whole tree is gone; it was not collected. */
	'run.stopped',
	/** What an ended run left behind is gone; nothing of what it did was read. */
	'run.swept',
	/** A deferred event is on the log; its queue still has it. */
	'deferred.published',
	/** The queue has it no more; what waits behind it is unpublished. */
	'deferred.resolved',
	/** The result of a run is written; only its own events are on the log. */
	'run.recorded',
	/** The proposal of a run is kept and put in words; it is not on the log. */
	'proposal.made',
	/** The log has an event that the runtime says of a run; the run's audit log has not. */
	'event.said',
	/** The audit log has it too; what is to be said after it is unsaid. */
	'event.noted',
	/** All is said and written of a run, but that it has finished. */
	'run.reported',
	/** The log has the end of a run; nobody has acted on it. */
	'run.finished',
	/** The log has an event that was emitted; neither the audit log nor who emitted it know. */
	'emit.appended',
	/** A trace has moved; its files are as before. */
	'projection.due',
	/** The files of a trace are as it is; the reactor's cursor is as before. */
	'projection.written',
	/** The cursor is saved; the next event is not looked at. */
	'cursor.saved',
	/** Traces have moved since their checkpoints. */
	'checkpoint.due',
	/** The checkpoints are as the traces are; who wrote them still holds the reactor's lock. */
	'checkpoint.written',
	/** A person has killed a trace; its runs go on. */
	'trace.killed',
	/** What approving would merge is known; nothing is claimed. */
	'merge.planned',
	/** The log has the claim of the merge; git is as before. */
	'merge.claimed',
	/** All of the trace's worktree is committed on its branch. */
	'merge.committed',
	/** The merge commit is written down, or the branch as one that is left; the base is where it was. */
	'merge.recorded',
	/** Unsaved files that are in the way are kept as a commit; what becomes of them is not written down. */
	'merge.kept',
	/** What the files and the index will be is written down; no file has moved. */
	'merge.journaled',
	/** One more file is as after the merge; those that come after it are not. */
	'merge.fileMoved',
	/** The files are as after the merge; index and base are not. */
	'merge.filesMoved',
	/** The index is as after the merge; the base is not. */
	'merge.indexMoved',
	/** The base has the merge; its journal stays. */
	'merge.baseMoved',
	/** The merge is over; its worktree stays. */
	'merge.made',
	/** The worktree is gone; the task is not said to be complete. */
	'merge.cleared',
	/** The log has the claim of an update; the worktree is as before. */
	'update.claimed',
	/** All of the worktree is committed on its branch; the base is not merged in. */
	'update.committed',
	/** One more file of the worktree has the base's work; those that come after it do not. */
	'update.fileMoved',
	/** The worktree has the base's work; the log does not know. */
	'update.merged',
	/** The log has what came of it; the claim is open. */
	'update.said',
	/** An old worktree is gone, and others may be to go. */
	'prune.worktreeRemoved',
	/** A kept tree is let go of, and others may be to go. */
	'prune.filesForgotten',
	/** The log has the end of a trace, for good; all that it left is there. */
	'purge.said',
	/** The worktree of a purged trace is gone; branch and refs stay. */
	'purge.worktreeRemoved',
	/** Branch and refs of a purged trace are gone; its run directory stays. */
	'purge.refsRemoved',
	/** The run directory of a purged trace is gone; the log has all of its events. */
	'purge.runsRemoved',
	/** The objects of a trace that is taken are here; no ref names them. */
	'take.fetched',
	/** The refs of a trace that is taken are here; by the log it is another checkout's. */
	'take.adopted',
	/** The folder for files that are restored is there; no file is in it. */
	'restore.folderMade',
	/** The files are back; nothing was reported. */
	'restore.written',
	/** Where a card will be in its chat is noted; it is not sent. */
	'chat.sending',
	/** A card is sent or shown anew; that is not noted. */
	'chat.sent',
	/** It is noted what a message of the chat shows; others may be to be shown. */
	'chat.noted',
	/** What a person did in a chat is noted on its card; the platform was not told so. */
	'chat.heard',
	/** What was pressed in a chat is begun; nothing is done. */
	'chat.acting',
	/** It is done; the card does not say so. */
	'chat.acted',
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/** Called when a crash point is reached, between the effects around it. */
export type Reach = (point: CrashPoint) => void;
