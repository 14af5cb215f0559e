/** Days without use after which a device has to log in to the console again. */
export const deviceIdleDays = 30;

/** A browser that is logged in to the console of a machine. Nothing of it is secret. */
export type Device = {
	/** Id of the device; use it to revoke the device. */
	readonly device: string;
	/** The name that the person gave it. */
	readonly name: string;
	/** The browser's own description: `Firefox on Linux`. Printable, at most 60 characters. */
	readonly agent: string;
	/** It may do everything, or only read. */
	readonly scope: 'act' | 'read';
	/** UTC, RFC 3339. */
	readonly loggedInAt: string;
	/** UTC, RFC 3339; updated at most once an hour. */
	readonly lastUsedAt: string;
};
