import {createHash} from 'node:crypto';
import type {Bus} from '../ports/bus.ts';

const bucketName = 'forge';
const key = 'deliveries';

/** Deliveries of webhooks that are remembered; the oldest are forgotten first. */
const maxRemembered = 500;
/** Hexadecimal digits that are kept of a delivery's id, which may be long. */
const digits = 16;

/**
 * Remembers a delivery of the forge's webhook beside the log, which wakes the watchers of every machine.
 * Returns false for one that is remembered already, which wakes no watcher.
 */
export const noteDelivery = async (bus: Pick<Bus, 'bucket'>, id: string): Promise<boolean> => {
	const bucket = bus.bucket(bucketName);
	const mark = createHash('sha256').update(id).digest('hex').slice(0, digits);
	for (;;) {
		const entry = await bucket.get(key);
		const known = entry?.value.split(' ') ?? [];
		if (known.includes(mark)) return false;
		const value = [...known, mark].slice(-maxRemembered).join(' ');
		const written =
			entry === undefined ? await bucket.create(key, value) : await bucket.update(key, value, entry.revision);
		if (written !== undefined) return true;
	}
};

/** Calls back at each new delivery until the signal, and at first if there was one before. */
export const followDeliveries = async (
	bus: Pick<Bus, 'bucket'>,
	signal: AbortSignal,
	call: () => void,
): Promise<void> => {
	for await (const _ of bus.bucket(bucketName).watch(signal)) call();
};
