import type {JsonObject} from '../domain/json.ts';
import type {UsageSum} from '../domain/run.ts';

/** Usage of models: tokens by kind, each counted once, and money. */
export type Amount = Partial<Omit<UsageSum, 'isEstimated'>>;

/** A parsed record of an agent tool's stream, in a form common to all tools. */
export type ParsedRecord =
	/** A line that is not in the stream's format, or a piece of a long one. */
	| {readonly type: 'line'; readonly text: string; readonly isOpen?: true}
	/** A complete message of the assistant. */
	| {readonly type: 'words'; readonly text: string}
	/** The next piece of a message. Any other record ends the message. */
	| {readonly type: 'piece'; readonly text: string}
	/** `call` links a tool's result to its call. */
	| {
			readonly type: 'tool';
			readonly name: string;
			readonly input: unknown;
			readonly call?: string;
			/** True if a subagent made the call. */
			readonly isNested?: true;
	  }
	/** The agent's whole todo list, from a tool that reports it apart from its calls. */
	| {readonly type: 'plan'; readonly items: readonly JsonObject[]}
	/** All that the tool has written so far, before its result. */
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
	| {readonly type: 'usage'; readonly of: 'call' | 'run'; readonly id?: string; readonly amount: Amount}
	| {readonly type: 'session'; readonly id?: string; readonly model?: string}
	/** The end: done, with its last message, or failed. */
	| {
			readonly type: 'end';
			readonly message?: string;
			readonly error?: string;
			/** Cause of the error. */
			readonly cause?: Cause;
			/** Milliseconds. */
			readonly durationMs?: number;
	  }
	/** The provider refuses further calls for now. The run may continue nevertheless. */
	| {readonly type: 'limit'; readonly cause: Cause};

/** The machine-readable parts of an error, beside its message. */
export type Cause = {
	/** The original error, including the body of an answer. */
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
