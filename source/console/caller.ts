/** Who asks. */
export type Caller = {
	/** What who holds its token may do: everything, or look alone. */
	readonly scope: 'act' | 'read';
	/** What the person called the device; `token` of who sends a token itself. */
	readonly label: string;
};
