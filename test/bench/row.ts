/** One target of docs/performance.md as measured in this run; `ratio` is what the target is about. */
export type Row = {
	readonly row: number;
	readonly name: string;
	readonly ratio: number;
	readonly target: string;
	readonly met: boolean;
	/** How it came about: the medians behind the ratio, the number of rounds. */
	readonly detail: string;
};
