/** Exit codes of docs/architecture.md §9. */
export const exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	notFound: 3,
	refused: 4,
	invalid: 5,
	unreachable: 6,
	honeyExhausted: 7,
	waitingForHuman: 8,
	taskFailed: 9,
	timeout: 124,
	interrupted: 130,
	terminated: 143,
} as const;

type ErrorEntry = {
	readonly exit: number;
	readonly http: number;
	/** What happened, when the thrower says nothing more exact. */
	readonly message: string;
	/** The next step. */
	readonly hint: string;
};

/** One record per error: the command line, the dashboard and `event emit` all read it. */
export const errorTable = {
	internal: {
		exit: 1,
		http: 500,
		message: 'Something went wrong inside hive.',
		hint: 'Run the command again; if it stays, report it with the output of "hive status --json".',
	},
	usage: {exit: 2, http: 400, message: 'The command line is not valid.', hint: 'See "hive help".'},
	unknown_command: {exit: 2, http: 404, message: 'There is no such command.', hint: 'See "hive help".'},
	not_a_terminal: {
		exit: 2,
		http: 400,
		message: 'The dashboard needs a terminal.',
		hint: 'Use "hive status --json" in scripts.',
	},
	trace_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such trace.',
		hint: 'List the traces with "hive status".',
	},
	task_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such task.',
		hint: 'List the tasks with "hive task list --trace <id>".',
	},
	recording_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no recording.',
		hint: 'Only sessions are recorded, unless "defaults.session_recording" is 0; "hive logs" shows what was said.',
	},
	run_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such run.',
		hint: 'List the runs with "hive status --json".',
	},
	bee_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such bee.',
		hint: 'Bees are files in .hive/bees/.',
	},
	no_session: {
		exit: 5,
		http: 400,
		message: 'The bee has no interactive session.',
		hint: 'Use "hive bee run".',
	},
	not_delivered: {
		exit: 4,
		http: 409,
		message: 'The text was not delivered.',
		hint: 'Look at the session with "hive session attach", then send it again.',
	},
	session_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such session.',
		hint: 'List the sessions with "hive session list".',
	},
	file_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such file.',
		hint: 'Check the path.',
	},
	cue_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such cue.',
		hint: 'List the cues with "hive cue list".',
	},
	invite_not_found: {
		exit: 3,
		http: 404,
		message: 'There is no such invite.',
		hint: 'List the invites with "hive invite list --status all".',
	},
	wrong_status: {
		exit: 4,
		http: 409,
		message: 'The task is in a state that does not allow this.',
		hint: 'See "hive task show".',
	},
	stale_view: {exit: 4, http: 409, message: 'It changed since you looked.', hint: 'Look again, then decide.'},
	conflict: {
		exit: 4,
		http: 409,
		message: 'The trace moved while this was being decided.',
		hint: 'Run the command again.',
	},
	trace_killed: {exit: 4, http: 409, message: 'The trace is killed.', hint: 'Start a new trace.'},
	merge_open: {
		exit: 4,
		http: 409,
		message: 'A merge of this trace is under way.',
		hint: 'Wait for it to end; an interrupted merge is finished when a reactor starts.',
	},
	merge_conflict: {
		exit: 4,
		http: 409,
		message: 'The merge has conflicts; nothing was touched.',
		hint: 'Resolve them on the trace branch, then approve again.',
	},
	merge_refused: {
		exit: 4,
		http: 409,
		message: 'The merge would touch unsaved work; nothing was changed.',
		hint: 'Save or move what is named, then approve again.',
	},
	repository_damaged: {
		exit: 4,
		http: 409,
		message: 'Git does not work in the repository.',
		hint: 'Mend what is named, then try again.',
	},
	would_overwrite: {
		exit: 4,
		http: 409,
		message: 'Other files are in the way; none was touched.',
		hint: 'Choose an empty folder.',
	},
	nothing_to_merge: {
		exit: 4,
		http: 409,
		message: 'There is nothing to merge.',
		hint: 'See "hive proposal diff".',
	},
	setup_failed: {
		exit: 1,
		http: 500,
		message: 'The worktree could not be set up.',
		hint: 'Mend "workspaces.setup" in .hive/colony.yaml, then retry the task.',
	},
	run_open: {
		exit: 4,
		http: 409,
		message: 'A run of the trace is still open.',
		hint: 'Wait for it to end, or stop it.',
	},
	guard_running: {
		exit: 4,
		http: 409,
		message: 'A guard has still to judge the task.',
		hint: 'Wait for its verdict, or approve with --without-guard.',
	},
	not_for_agents: {
		exit: 4,
		http: 403,
		message: 'Agents may not do this.',
		hint: 'A person decides it, outside a run.',
	},
	elsewhere: {
		exit: 4,
		http: 409,
		message: 'The trace belongs to another checkout.',
		hint: 'Run the command there; where that checkout is gone, "hive trace take" moves the trace here.',
	},
	checkout_moved: {
		exit: 4,
		http: 409,
		message: 'A checkout of this colony is gone, and this may be where it was moved to.',
		hint: 'Run "hive init --take-over" to go on with its log here, or "hive init --no-take-over" for a log of its own.',
	},
	honey_exhausted: {
		exit: 7,
		http: 409,
		message: 'Honey reserve exhausted.',
		hint: 'Top up with "hive energy add --trace <id> --amount <n>".',
	},
	not_a_repository: {
		exit: 5,
		http: 400,
		message: 'This is not a git repository.',
		hint: 'Run "git init" first, or pass -C <dir>.',
	},
	no_colony: {
		exit: 5,
		http: 400,
		message: 'There is no colony here.',
		hint: 'Run "hive init" in the repository.',
	},
	no_commit: {
		exit: 5,
		http: 400,
		message: 'The repository has no commit yet.',
		hint: 'Commit something first: worktrees start from a commit.',
	},
	invalid_config: {
		exit: 5,
		http: 400,
		message: 'The colony configuration is not valid.',
		hint: 'Mend the file that is named.',
	},
	invalid_nuc: {
		exit: 5,
		http: 422,
		message: 'The nuc is not valid.',
		hint: 'Mend every problem that is named; nothing was written.',
	},
	invalid_prompt: {
		exit: 5,
		http: 400,
		message: 'The prompt template does not render.',
		hint: 'Mend the template that is named.',
	},
	invalid_json: {
		exit: 5,
		http: 400,
		message: 'The input is not one JSON object.',
		hint: 'Pass one JSON object on standard input.',
	},
	schema_validation_failed: {
		exit: 5,
		http: 422,
		message: 'The event is not valid.',
		hint: 'Mend every field that is named.',
	},
	invalid_plan: {
		exit: 5,
		http: 422,
		message: 'The plan is not valid.',
		hint: 'Mend every problem that is named; nothing was published.',
	},
	invalid_id: {
		exit: 5,
		http: 400,
		message: 'The id is not valid.',
		hint: 'Ids are letters, digits, ".", "_" and "-", starting with a letter or digit.',
	},
	event_too_large: {
		exit: 5,
		http: 413,
		message: 'The event is larger than 256 KiB.',
		hint: 'Put large text in a file and name it.',
	},
	defer_denied: {
		exit: 5,
		http: 400,
		message: 'This kind is live-only and cannot be deferred.',
		hint: 'Emit it without --defer.',
	},
	run_required: {
		exit: 5,
		http: 400,
		message: 'Deferred events belong to a run, and this is none.',
		hint: 'Name the traceId and agentId of a run, or do this inside one.',
	},
	file_ref_missing: {
		exit: 5,
		http: 422,
		message: 'The event names a file that is not there.',
		hint: 'Write the file, or discard the event with "hive event flush --discard".',
	},
	read_only_log: {exit: 5, http: 409, message: 'The log was written by a newer hive.', hint: 'Update hive.'},
	log_replaced: {
		exit: 5,
		http: 409,
		message: 'The event log lacks what was folded from it before: it was wiped, cut off or exchanged.',
		hint: 'Stop every hive here and bring the log back from a copy, its -wal file with it.',
	},
	bus_unreachable: {
		exit: 6,
		http: 503,
		message: 'The event log cannot be reached.',
		hint: 'Check the disk and the machine-local directory.',
	},
	bus_unfit: {
		exit: 6,
		http: 503,
		message: 'The message bus lacks what a colony needs of it.',
		hint: 'Mend the server or its stream as named, or take another server: 2.9 or newer, started with -js.',
	},
	log_moved: {
		exit: 6,
		http: 409,
		message: 'The event log was moved elsewhere.',
		hint: 'Name the bus where it is by now, by bus.url in config.yaml or HIVE_BUS_URL.',
	},
	log_half_copied: {
		exit: 6,
		http: 409,
		message: 'The event log here is a copy that is not whole yet.',
		hint: 'Run the same "hive bus move" again where it was begun: it goes on where it was cut.',
	},
	bus_not_empty: {
		exit: 4,
		http: 409,
		message: 'There is a log of this colony already; nothing was changed.',
		hint: 'Name an empty server, or remove what is named from it once nobody needs it.',
	},
	log_in_use: {
		exit: 4,
		http: 409,
		message: 'The log is in use; nothing was changed.',
		hint: 'End every reactor of the colony, wait for its runs, and try again.',
	},
	log_damaged: {
		exit: 5,
		http: 409,
		message: 'The event log is not as it was written.',
		hint: '"hive bus verify" names everything that is wrong, and what to do about it.',
	},
	timeout: {
		exit: 124,
		http: 504,
		message: 'The time given with --timeout passed.',
		hint: 'See "hive status" for what is still open.',
	},
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;
