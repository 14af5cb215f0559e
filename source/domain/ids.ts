const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const gate = /^_review(-[1-9]\d{0,3})?$/;

/**
 * The rule for trace ids, agent ids and the names of bees, cues and sectors: safe as a file name, a git ref
 * part and a bus subject (docs/rules.md §10).
 */
export const isName = (text: string): boolean =>
	name.test(text) && !text.includes('..') && !text.endsWith('.') && !text.endsWith('.lock');

/** A task id is a name, or the id of a synthesized gate: `_review`, `_review-2`… */
export const isTaskId = (text: string): boolean => isName(text) || gate.test(text);

/** True for the ids that hive gives to synthesized gates. */
export const isGateId = (text: string): boolean => gate.test(text);

/** True for the full id of a git object. */
export const isObjectId = (value: unknown): value is string =>
	typeof value === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

/**
 * True for the form that `IdSource.event` makes. Ids of events that the runtime emits have another form, so
 * no program that names an id can take one of those.
 */
export const isEventId = (id: unknown): id is string => typeof id === 'string' && /^[0-9a-f]{28}$/.test(id);

/** The short name of the branch that a trace works on. */
export const branchOf = (traceId: string): string => `hive/${traceId}`;

export const idRule =
	'letters, digits, ".", "_" and "-", starting with a letter or digit, at most 64 characters';

/** Creates ids. Trace, task and event ids are ordered by time and rise strictly within one source. */
export type IdSource = {
	/** `trace-` and 16 hex digits: 48 bits of milliseconds since 1970, then 16 bits. */
	readonly trace: () => string;
	/** `task-` and 16 hex digits, composed like a trace id. */
	readonly task: () => string;
	/** `inv-` and 16 hex digits, composed like a trace id. */
	readonly invite: () => string;
	/** 16 random hex digits. */
	readonly agent: () => string;
	/** 28 hex digits: 48 bits of milliseconds since 1970, then 64 bits. */
	readonly event: () => string;
};

/**
 * @param now milliseconds since 1970
 * @param randomHex returns that many random lowercase hex digits
 */
export const createIdSource = (now: () => number, randomHex: (digits: number) => string): IdSource => {
	const short = createRisingHex(now, randomHex, 4);
	const long = createRisingHex(now, randomHex, 16);
	return {
		trace: () => `trace-${short()}`,
		task: () => `task-${short()}`,
		invite: () => `inv-${short()}`,
		agent: () => randomHex(16),
		event: long,
	};
};

/**
 * Each value is greater than the last one. Within a millisecond, or after the clock steps back, the last
 * value is incremented.
 */
const createRisingHex = (now: () => number, randomHex: (digits: number) => string, tailDigits: number) => {
	const limit = 16n ** BigInt(tailDigits);
	let last = 0n;
	return () => {
		const fresh = BigInt(now()) * limit + BigInt(`0x${randomHex(tailDigits)}`);
		last = fresh > last ? fresh : last + 1n;
		return last.toString(16).padStart(12 + tailDigits, '0');
	};
};
