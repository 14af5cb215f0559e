/** What a colony's streams, buckets and subjects are called on a server (docs/architecture.md §2). */
export type Names = {
	/** The stream of the log. */
	readonly stream: string;
	/** Every event is on a subject that this matches. */
	readonly subjects: string;
	readonly subjectOf: (traceId: string) => string;
	/** What a copy has in the place of what was forgotten, until it is whole. No trace has such an id. */
	readonly fillers: string;
	/** Where a place is asked. */
	readonly placeSubject: (place: string) => string;
	/** The key-value bucket of a bucket of the port. */
	readonly bucket: (name: string) => string;
	/** The object store of large texts. */
	readonly blobs: string;
};

/**
 * @param id of the colony
 * @param prefix of its subjects, where `colony.yaml` names one
 */
export const namesOf = (id: string, prefix = `hive.${id}`): Names => {
	const name = id.toLowerCase().replace(/[^a-z0-9_]/g, '_');
	return {
		stream: `HIVE_${name}_EVENTS`,
		subjects: `${prefix}.events.>`,
		subjectOf: traceId => `${prefix}.events.${traceId}`,
		fillers: `${prefix}.events._filler`,
		placeSubject: place => `${prefix}.places.${place}`,
		bucket: bucket => `hive_${name}_${bucket.replace(/[^a-z0-9_]/g, '_')}`,
		blobs: `hive_${name}_artifacts`,
	};
};

/**
 * A key as a server takes it: what would end, divide or match there is written as `=` and its code in hex.
 */
export const encodeKey = (key: string): string =>
	key.replace(
		/[^A-Za-z0-9_-]/gu,
		sign => `${[...Buffer.from(sign)].map(byte => `=${byte.toString(16).padStart(2, '0')}`).join('')}`,
	);

/** Nothing for what `encodeKey` does not write. */
export const decodeKey = (encoded: string): string | undefined => {
	try {
		const key = decodeURIComponent(encoded.replace(/=([0-9a-f]{2})/g, '%$1'));
		return encodeKey(key) === encoded ? key : undefined;
	} catch {
		return undefined;
	}
};
