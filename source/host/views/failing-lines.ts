/**
 * How test runners, compilers and shells begin a line that names a failure. The characters are crosses and a
 * dot that test runners draw.
 */
const failure =
	/^\s*(not ok|\u2717|\u2716|\u00d7|\u25cf|fail(ed|ure)?\b|--- fail|error\b|e\s{2,}|panic:|traceback|\S*(error|exception):|\S+:\d+(:\d+)?: ?(fatal )?error)/i;

/** Lines that name no test: the totals at the end of a run, and the beginning of a text in YAML. */
const unnamed = /^\s*(#|\u2139)?\s*(fail|failed|failures|errors?)[: ]+(\d+|[|>]-?)\s*$/i;

/**
 * Returns the lines of an output that name failures, at most `count`. If there are none, returns its last
 * lines.
 */
export const failingLines = (output: string, count: number): readonly string[] => {
	const lines = output.split('\n').filter(line => line.trim() !== '');
	const named = lines.filter(line => failure.test(line) && !unnamed.test(line));
	return named.length > 0 ? named.slice(0, count) : lines.slice(-count);
};
