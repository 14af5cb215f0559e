import type {ForgePlace} from '../../ports/forge.ts';

/** What a driver of a forge needs. */
export type DriverOptions = {
	readonly place: ForgePlace;
	readonly token: string;
	/** How hive names itself to the forge. */
	readonly userAgent: string;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Milliseconds of a whole answer. */
	readonly timeoutMs: number;
	/** Bytes of one answer. */
	readonly maxAnswerBytes: number;
	/** True if there is no pause between writes nor before a retry. Tests need that. */
	readonly isHasty: boolean;
};
