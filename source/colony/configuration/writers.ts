/** Notified of who may write in the root: before the first write, and after the last. Both may be repeated. */
export type Writers = {
	readonly beginWriting: (by: string) => Promise<void>;
	readonly endWriting: (by: string) => Promise<void>;
};

export const runAsWriter = (agentId: string): string => `run ${agentId}`;
export const mergeAsWriter = (traceId: string): string => `the merge of ${traceId}`;

/** What a person does about a version that awaits them. */
export const acceptHint = 'Look at it with "git diff", then run "hive doctor --accept".';
