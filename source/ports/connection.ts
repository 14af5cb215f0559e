/** A byte stream in both directions between two processes of this user. */
export type Connection = {
	readonly send: (bytes: Uint8Array) => void;
	/** Number of sent bytes that the other side has not taken. */
	readonly unsentBytes: () => number;
	/** Called each time all sent bytes are taken. */
	readonly onDrained: (call: () => void) => void;
	readonly onData: (call: (bytes: Uint8Array) => void) => void;
	/** Called once when the link ends, whichever side ended it. */
	readonly onEnd: (call: () => void) => void;
	/** Stops reading until `resume`; the other side has to wait. */
	readonly pause: () => void;
	readonly resume: () => void;
	/** Closes it after all sent bytes are taken. */
	readonly end: () => void;
	/** Closes it at once. */
	readonly destroy: () => void;
};

/** Accepts links at a path, for this user only, until the returned function is called. @throws HiveError */
export type ServeConnections = (
	path: string,
	onConnection: (connection: Connection) => void,
) => Promise<() => Promise<void>>;

/** Connects to a path. Returns `undefined` if no process listens there. */
export type OpenConnection = (path: string) => Promise<Connection | undefined>;
