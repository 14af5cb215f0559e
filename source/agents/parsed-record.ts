import type {JsonObject} from '../domain/json.ts';
import type {UsageSum} from '../domain/run.ts';

/** Tokens by kind, without overlap between kinds, and cost in US dollars. */
export type UsageAmount = Partial<Omit<UsageSum, 'isEstimated'>>;

/** A parsed record of an agent tool's stream, in a form common to all tools. */
export type ParsedRecord =
	/** A line that is not in the stream's format, or a piece of a long one. */
	| {readonly type: 'line'; readonly text: string; readonly isOpen?: true}
	/** A complete message of the assistant. */
	| {readonly type: 'words'; readonly text: string}
	/** The next piece of a message. Any other record ends the message. */
	| {readonly type: 'piece'; readonly text: string}
	/** A tool call. `call` is its id, which its `output`, `result` or `failure` repeats. */
	| {
			readonly type: 'tool';
			readonly name: string;
			readonly input: unknown;
			readonly call?: string;
			/** True if a subagent made the call. */
			readonly isNested?: true;
	  }
	/** The agent's whole todo list, if the agent CLI reports it in a record of its own. */
	| {readonly type: 'plan'; readonly items: readonly JsonObject[]}
	/** All output so far of a tool call that has not ended. */
	| {readonly type: 'output'; readonly text: string; readonly call?: string}
	| {readonly type: 'result'; readonly text: string; readonly call?: string}
	| {
			readonly type: 'failure';
			readonly text: string;
			readonly call?: string;
			/** True if the tool call was denied. */
			readonly isDenied?: boolean;
	  }
	/** A warning that does not end the run. */
	| {readonly type: 'warning'; readonly text: string}
	| {readonly type: 'retry'; readonly retry: Retry}
	/** Usage of one model call, or of all so far. `id` identifies a call that is reported more than once. */
	| {readonly type: 'usage'; readonly of: 'call' | 'run'; readonly id?: string; readonly amount: UsageAmount}
	| {readonly type: 'session'; readonly id?: string; readonly model?: string}
	/** The run has ended: with `message`, the last one if reported, or with `error`. */
	| {
			readonly type: 'end';
			readonly message?: string;
			readonly error?: string;
			readonly cause?: Cause;
			readonly durationMs?: number;
	  }
	/** The provider refuses further calls for now. The run may continue nevertheless. */
	| {readonly type: 'limit'; readonly cause: Cause};

/** The machine-readable parts of an error, beside its message. */
export type Cause = {
	/** The error as the provider sent it, with the body of the HTTP response. */
	readonly text?: string;
	/** HTTP status. */
	readonly status?: number;
	/** When the limit ends, in seconds since 1970. */
	readonly resetsAt?: number;
	/** Seconds from the end of the run until the limit ends. */
	readonly waitSeconds?: number;
};

/** The tool retries a model call. */
export type Retry = {
	readonly attempt?: number;
	readonly maxAttempts?: number;
	/** Milliseconds until the retry. */
	readonly waitMs?: number;
	readonly reason: string;
};

/** Parses one record of a stream. Undefined if it is not in this tool's format. A reader may be stateful. */
export type StreamReader = (record: JsonObject) => readonly ParsedRecord[] | undefined;
