import type {JsonObject} from '../domain/json.ts';
import type {UsageSum} from '../domain/run.ts';

/** What models took: tokens by kind, each counted once, and money. */
export type Amount = Partial<Omit<UsageSum, 'isEstimated'>>;

/** What an agent tool says in its stream, whichever tool it is. */
export type Said =
	/** A line that is not of the stream's form, or a piece of a long one. */
	| {readonly says: 'line'; readonly text: string; readonly isOpen?: true}
	/** A message of the assistant, whole. */
	| {readonly says: 'words'; readonly text: string}
	/** The next part of one; it is whole when something else is said. */
	| {readonly says: 'piece'; readonly text: string}
	/** `call` ties what comes of a tool to its call. */
	| {readonly says: 'tool'; readonly name: string; readonly input: unknown; readonly call?: string}
	| {readonly says: 'result'; readonly text: string; readonly call?: string}
	| {
			readonly says: 'failure';
			readonly text: string;
			readonly call?: string;
			/** The tool was not allowed to. */
			readonly isDenied?: boolean;
	  }
	/** Something to know that ends nothing. */
	| {readonly says: 'warning'; readonly text: string}
	| {readonly says: 'retry'; readonly retry: Retry}
	/** Of one call of a model, `id` names it where it is said more than once; or of all of them so far. */
	| {readonly says: 'usage'; readonly of: 'call' | 'run'; readonly id?: string; readonly amount: Amount}
	| {readonly says: 'session'; readonly id?: string; readonly model?: string}
	/** It is done, with its last words; or it ended for an error. */
	| {
			readonly says: 'end';
			readonly words?: string;
			readonly error?: string;
			/** Of the error. */
			readonly cause?: Cause;
			/** Milliseconds. */
			readonly took?: number;
	  }
	/** Its provider refuses more for now. It may go on all the same. */
	| {readonly says: 'limit'; readonly cause: Cause};

/** What a tool has of an error for programs, beside its words for people. */
export type Cause = {
	/** The error as it came, with the body of an answer in it. */
	readonly text?: string;
	/** Of HTTP. */
	readonly status?: number;
	/** When the limit ends, in seconds since 1970. */
	readonly resetsAt?: number;
	/** Until then, in seconds from the end of the run. */
	readonly wait?: number;
};

/** The tool asks its model again. */
export type Retry = {
	readonly attempt?: number;
	readonly most?: number;
	/** Milliseconds until then. */
	readonly wait?: number;
	readonly reason: string;
};

/**
 * What one record of a stream says; nothing when it is not of this tool's form. A reader may remember what
 * came before.
 */
export type StreamReader = (record: JsonObject) => readonly Said[] | undefined;
