/** Days without use after which a device has to log in to the console again. */
export const deviceIdleDays = 30;

/** A browser that is logged in to the console of a machine. Nothing of it is secret. */
export type Device = {
	/** Its id; it is revoked by that. */
	readonly device: string;
	/** What the person called it. */
	readonly name: string;
	/** What it says that it is: `Firefox on Linux`. Printable, at most 60 characters. */
	readonly agent: string;
	/** It may do everything, or look alone. */
	readonly scope: 'act' | 'read';
	/** UTC, RFC 3339. */
	readonly loggedInAt: string;
	/** Likewise; written once an hour at most. */
	readonly lastUsedAt: string;
};
