/** One measured target of docs/performance.md. The target is about `ratio`. */
export type Row = {
	readonly row: number;
	readonly name: string;
	readonly ratio: number;
	readonly target: string;
	readonly met: boolean;
	/** The medians behind the ratio, and the number of rounds. */
	readonly detail: string;
};
