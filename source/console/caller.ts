/** Who asks. */
export type Caller = {
	/** What who holds its token may do: everything, or look alone. */
	readonly scope: 'act' | 'read';
	/** What the person called the device; `token` of who sends a token itself. */
	readonly label: string;
	/** Id of the device; a program that sends a token has none. */
	readonly device?: string;
};

/** What a caller is known by: its device, else one of the two tokens. */
export const credentialOf = ({device, scope}: Caller): string => device ?? `token ${scope}`;
