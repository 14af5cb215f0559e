/** An internal error with its context. */
export type Fault = {
	readonly error: unknown;
	/** When it was noticed: UTC, RFC 3339. */
	readonly at: string;
	/** Versions by name: hive, Node, the system. */
	readonly versions: Readonly<Record<string, string>>;
	/** Sizes by name, each with its unit if it has one. */
	readonly sizes: Readonly<Record<string, string | number>>;
	/** Ids of the last actions, the newest last; never typed text. */
	readonly actions: readonly string[];
};

/** A fault as text, for the maintainers of hive. Secrets are not redacted yet. */
export const faultReport = ({error, at, versions, sizes, actions}: Fault): string =>
	[
		`Internal error of hive, ${at}`,
		...section('Error', chain(error)),
		...section('Versions', pairs(versions)),
		...section('Sizes', pairs(sizes)),
		...section('Last actions', actions.length === 0 ? ['none'] : actions),
		'',
	].join('\n');

const section = (title: string, lines: readonly string[]): readonly string[] => ['', title, ...lines];

const pairs = (facts: Readonly<Record<string, string | number>>): readonly string[] =>
	Object.entries(facts).map(([name, value]) => `${name}: ${value}`);

/** Maximum number of chained causes; it also ends a cycle. */
const maxCauses = 5;

const chain = (error: unknown): readonly string[] => {
	const lines: string[] = [];
	let cause = error;
	for (let count = 0; count < maxCauses && cause !== undefined; count += 1) {
		lines.push(`${count === 0 ? '' : 'Caused by '}${stackOf(cause)}`);
		cause = cause instanceof Error ? cause.cause : undefined;
	}
	return lines;
};

const stackOf = (error: unknown): string =>
	error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
