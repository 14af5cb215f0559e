/** Names of a colony's streams, buckets and subjects on a server (docs/architecture.md §2). */
export type Names = {
	/** The stream of the log. */
	readonly stream: string;
	/** Matches the subject of every event. */
	readonly subjects: string;
	readonly subjectOf: (traceId: string) => string;
	/**
	 * Subject of fillers: a copy has them in the place of forgotten events until it is complete. No trace has
	 * such an id.
	 */
	readonly fillers: string;
	/** Subject on which a place receives questions. */
	readonly machineSubject: (machine: string) => string;
	/** Returns the key-value bucket for a bucket of the port. */
	readonly bucket: (name: string) => string;
	/** The object store of large texts. */
	readonly blobs: string;
};

/**
 * @param id the colony's id
 * @param prefix prefix of its subjects, if `colony.yaml` names one
 */
export const namesOf = (id: string, prefix = `hive.${id}`): Names => {
	const name = id.toLowerCase().replace(/[^a-z0-9_]/g, '_');
	return {
		stream: `HIVE_${name}_EVENTS`,
		subjects: `${prefix}.events.>`,
		subjectOf: traceId => `${prefix}.events.${traceId}`,
		fillers: `${prefix}.events._filler`,
		machineSubject: machine => `${prefix}.places.${machine}`,
		bucket: bucket => `hive_${name}_${bucket.replace(/[^a-z0-9_]/g, '_')}`,
		blobs: `hive_${name}_artifacts`,
	};
};

/**
 * Encodes a key for a server: a character that would end, divide or match a key there becomes `=` and its
 * code in hex.
 */
export const encodeKey = (key: string): string =>
	key.replace(
		/[^A-Za-z0-9_-]/gu,
		sign => `${[...Buffer.from(sign)].map(byte => `=${byte.toString(16).padStart(2, '0')}`).join('')}`,
	);

/** Decodes a key; undefined for a text that `encodeKey` does not write. */
export const decodeKey = (encoded: string): string | undefined => {
	try {
		const key = decodeURIComponent(encoded.replace(/=([0-9a-f]{2})/g, '%$1'));
		return encodeKey(key) === encoded ? key : undefined;
	} catch {
		return undefined;
	}
};
