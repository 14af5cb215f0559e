/**
 * One line that hive's ACP client writes on its standard output, as JSON with `at` (RFC 3339) beside these
 * fields. Texts are the agent's own, at most `maxAcpText` characters each.
 */
export type AcpRecord =
	/** The agent's session, once it is open. */
	| {
			readonly type: 'session';
			readonly id: string;
			/** Name and version, as the agent says them. */
			readonly agent?: string;
			readonly model?: string;
	  }
	/** The next piece of a message. */
	| {readonly type: 'text'; readonly text: string}
	/** A new message begins. */
	| {readonly type: 'message'}
	/** A tool call begins. Its `input` is the agent's own, or the path, the change or the title. */
	| {readonly type: 'tool'; readonly call: string; readonly name: string; readonly input: unknown}
	/** All output so far of a call. */
	| {readonly type: 'output'; readonly call: string; readonly text: string}
	/** A call has ended. The text has the changes that were not in its input, as lines with a sign. */
	| {readonly type: 'result'; readonly call: string; readonly text: string}
	| {readonly type: 'failure'; readonly call: string; readonly text: string; readonly denied?: true}
	/** The whole todo list. */
	| {
			readonly type: 'plan';
			readonly entries: readonly {readonly content: string; readonly status: string}[];
	  }
	/** Usage of the run so far. Input tokens are without those of the cache. */
	| ({readonly type: 'usage'} & AcpUsage)
	| {readonly type: 'warning'; readonly text: string}
	/** The run is over: its last turn ended well, or failed with `error`. */
	| {readonly type: 'end'; readonly error?: string};

type AcpUsage = {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheReadTokens?: number;
	readonly cacheWriteTokens?: number;
	/** US dollars. */
	readonly costUsd?: number;
};

/** Maximum number of characters of one text of a record. */
export const maxAcpText = 256 * 1024;
