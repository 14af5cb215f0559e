/** Who comes to a message bus, in at most one way, and whom it believes. Paths are absolute. */
export type BusCredentials = {
	readonly user?: string;
	readonly password?: string;
	readonly token?: string;
	/** Of an nkey seed. */
	readonly nkeyFile?: string;
	/** Of a user's JWT and seed, as account tools write it. */
	readonly credentialsFile?: string;
	/** Of certificates and a key, in PEM. TLS is required where there is one of them, as it is by `tls://`. */
	readonly tls?: {readonly ca?: string; readonly cert?: string; readonly key?: string};
};

/** How a message bus is reached. */
export type BusAccess = BusCredentials & {
	/**
	 * As the client takes them, `nats://host:port`, or all of them `tls://host:port`, without a login. At least
	 * one.
	 */
	readonly servers: readonly string[];
	/** The address as people are shown it: `host:port`, several with ", ", never a login. */
	readonly shown: string;
};
