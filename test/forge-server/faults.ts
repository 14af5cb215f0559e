/** What happens to the next calls that match, in place of an answer or around it. */
export type Fault = {
	/** Of the method and the path, such as `GET /api/v3/user`. */
	readonly match: RegExp;
	/** Calls that it strikes; 1 unless given. */
	readonly times?: number;
	/** Called as it strikes, before the effect of the call. */
	readonly onStrike?: () => void;
} & (
	| {
			readonly answer: {
				readonly status: number;
				/** A text is sent as it is, anything else as JSON. */
				readonly body?: unknown;
				readonly headers?: Readonly<Record<string, string>>;
			};
	  }
	/** The connection ends before or after the effect, or within the answer. */
	| {readonly cut: 'before' | 'after' | 'within'}
	/** The answer begins, and never ends. */
	| {readonly stalls: true}
	/** The answer comes after this. A promise without an end is a server that never answers. */
	| {readonly hold: Promise<void>}
	/** Happens between this answer and the next call. */
	| {readonly change: () => void}
);

export const createFaults = () => {
	const waiting: {fault: Fault; left: number}[] = [];
	return {
		/** Returns a function that takes it away again. */
		add: (fault: Fault): (() => void) => {
			const added = {fault, left: fault.times ?? 1};
			waiting.push(added);
			return () => {
				added.left = 0;
			};
		},
		take: (call: string): Fault | undefined => {
			const found = waiting.find(({fault, left}) => left > 0 && fault.match.test(call));
			if (found === undefined) return undefined;
			found.left -= 1;
			found.fault.onStrike?.();
			return found.fault;
		},
	};
};
