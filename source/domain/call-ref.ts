/** Names a tool call of a run: its record in the run's standard output. */
export type CallRef = {
	/** Bytes before the line of the record. */
	readonly from: number;
	/** Position among the parsed records of that line. */
	readonly nth: number;
};
