import type {Question} from '../domain/question.ts';

/** Milliseconds that a run spent waiting for answers up to that time, which its timeout leaves out. */
export const waitedMs = (questions: readonly Question[], now: number): number =>
	mergedMs(
		questions.flatMap(({waits}) =>
			waits === undefined
				? []
				: [[Date.parse(waits.from), waits.until === undefined ? now : Date.parse(waits.until)] as const],
		),
	);

/** The length of the union of intervals: an agent may ask several things at once. */
const mergedMs = (intervals: readonly (readonly [number, number])[]): number => {
	let sum = 0;
	let end = Number.NEGATIVE_INFINITY;
	for (const [from, until] of intervals.toSorted(([one], [other]) => one - other)) {
		sum += Math.max(0, until - Math.max(from, end));
		end = Math.max(end, until);
	}
	return sum;
};

/** When hive answers the question in a person's place, in milliseconds since 1970. */
export const expiryOf = ({waits}: Question): number | undefined =>
	waits?.timeoutMs === undefined ? undefined : Date.parse(waits.from) + waits.timeoutMs;
