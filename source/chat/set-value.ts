import type {Bucket} from './context.ts';

/** Sets the value of a key, with or without a previous value. */
export const setValue = async (bucket: Bucket, key: string, value: string): Promise<void> => {
	for (;;) {
		const known = await bucket.get(key);
		const kept = await (known === undefined
			? bucket.create(key, value)
			: bucket.update(key, value, known.revision));
		if (kept !== undefined) return;
	}
};
