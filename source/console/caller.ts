/** The caller of a request. */
export type Caller = {
	/** The rights of the credential: `act` for everything, `read` for reading only. */
	readonly scope: 'act' | 'read';
	/** The name that the person gave the device. It is `token` for a request with a token. */
	readonly label: string;
	/** Id of the device. Absent for a program that sends a token. */
	readonly device?: string;
};

/** The identity of a caller: its device, else one of the two tokens. */
export const credentialOf = ({device, scope}: Caller): string => device ?? `token ${scope}`;
