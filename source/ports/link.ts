/** Bytes both ways between two processes of this user. */
export type Link = {
	readonly send: (bytes: Uint8Array) => void;
	/** Bytes that were sent and that the other side has not taken. */
	readonly unsent: () => number;
	/** Called each time when all that was sent is taken. */
	readonly onTaken: (call: () => void) => void;
	readonly onBytes: (call: (bytes: Uint8Array) => void) => void;
	/** Called once, whoever ended it. */
	readonly onEnd: (call: () => void) => void;
	/** Takes no bytes until `resume`: the other side waits. */
	readonly pause: () => void;
	readonly resume: () => void;
	/** Ends it when what was sent is taken. */
	readonly end: () => void;
	/** Ends it at once. */
	readonly cut: () => void;
};

/** Takes links at a path, for this user only, until the answer is called. @throws HiveError */
export type ServeLinks = (path: string, onLink: (link: Link) => void) => Promise<() => Promise<void>>;

/** Nothing when nobody listens there. */
export type OpenLink = (path: string) => Promise<Link | undefined>;
