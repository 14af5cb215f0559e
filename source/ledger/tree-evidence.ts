import type {Bus} from '../ports/bus.ts';

/** The newest result of a check on one tree, whichever trace asked for it. */
export type TreeEvidence = {
	readonly passed: boolean;
	/** The run that checked it, and its trace. */
	readonly agentId: string;
	readonly traceId: string;
	/** One line, as in the run's result. */
	readonly summary: string;
	/** When the check ended (UTC, RFC 3339). */
	readonly at: string;
};

/** A tree, and the fingerprint of the check: its commands and all that shapes them. */
export type CheckedTree = {readonly tree: string; readonly check: string};

const bucketName = 'evidence';

/** Number of hexadecimal digits of the fingerprint in a key. */
const digits = 32;

const keyOf = ({tree, check}: CheckedTree): string => `${tree}.${check.slice(0, digits)}`;

/**
 * Returns the evidence for the tree; undefined if it was not checked in this way. Every machine of the colony
 * may use it.
 */
export const readTreeEvidence = async (
	bus: Pick<Bus, 'bucket'>,
	checked: CheckedTree,
): Promise<TreeEvidence | undefined> => {
	const entry = await bus.bucket(bucketName).get(keyOf(checked));
	return entry && parse(entry.value);
};

/** Keeps the evidence in place of older evidence for the same tree. */
export const keepTreeEvidence = async (
	bus: Pick<Bus, 'bucket'>,
	checked: CheckedTree,
	evidence: TreeEvidence,
): Promise<void> => {
	const bucket = bus.bucket(bucketName);
	const key = keyOf(checked);
	const value = JSON.stringify(evidence);
	for (;;) {
		const entry = await bucket.get(key);
		const older = entry && parse(entry.value);
		if (older !== undefined && older.at > evidence.at) return;
		const written =
			entry === undefined ? await bucket.create(key, value) : await bucket.update(key, value, entry.revision);
		if (written !== undefined) return;
	}
};

/** Removes evidence that is older than the time. */
export const forgetTreeEvidence = async (bus: Pick<Bus, 'bucket'>, before: string): Promise<void> => {
	const bucket = bus.bucket(bucketName);
	for (const {key, value, revision} of await bucket.entries()) {
		const evidence = parse(value);
		if (evidence === undefined || evidence.at < before) await bucket.delete(key, revision);
	}
};

const parse = (value: string): TreeEvidence | undefined => {
	try {
		const read: Partial<TreeEvidence> = JSON.parse(value);
		return typeof read.passed === 'boolean' &&
			[read.agentId, read.traceId, read.summary, read.at].every(text => typeof text === 'string')
			? (read as TreeEvidence)
			: undefined;
	} catch {
		return undefined;
	}
};
