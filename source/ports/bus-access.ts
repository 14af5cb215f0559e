/** The login to a message bus, of at most one kind, and the certificates to trust. Paths are absolute. */
export type BusCredentials = {
	readonly user?: string;
	readonly password?: string;
	readonly token?: string;
	/** A file with an nkey seed. */
	readonly nkeyFile?: string;
	/** A file with a user's JWT and seed, as account tools write it. */
	readonly credentialsFile?: string;
	/**
	 * Files with certificates and a key, in PEM. TLS is required if one of them is set, as it is by `tls://`.
	 */
	readonly tls?: {readonly ca?: string; readonly cert?: string; readonly key?: string};
};

/** How to reach a message bus. */
export type BusAccess = BusCredentials & {
	/**
	 * Addresses in the client's form, without a login: `nats://host:port`, or all of them `tls://host:port`. At
	 * least one.
	 */
	readonly servers: readonly string[];
	/** The address to show to people: `host:port`, several separated by ", ", never a login. */
	readonly shown: string;
};
