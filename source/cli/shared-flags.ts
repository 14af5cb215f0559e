import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {decimal, integer, repeatable, text} from './flags.ts';

/** Flags that mean the same in every command that has them. */
export const traceFlag = text({
	summary: 'Trace to act on; the end of its id is enough.',
	hint: '<id>',
	required: true,
	complete: 'traces',
});

export const taskFlag = text({summary: 'Task to act on.', hint: '<id>', required: true, complete: 'tasks'});

export const bodyFlag = text({summary: 'What is to be done, as free text.', hint: '<text>', short: 'b'});

/** Its values are read by `readPairs`. */
export const paramFlag = (summary: string) => repeatable({summary, hint: '<name=value>'});

/** Reads values such as `model=opus` of a repeatable flag. Undefined without any. */
export const readPairs = (
	flag: string,
	values: readonly string[],
): Outcome<Readonly<Record<string, string>> | undefined> => {
	const pairs = values.map((pair): readonly [string, string | undefined] => {
		const [name = '', value] = pair.split(/=(.*)/s);
		return [name, value];
	});
	const broken = pairs.find(([name, value]) => name === '' || value === undefined);
	if (broken !== undefined)
		return refuse('usage', {message: `${flag} needs name=value, not "${broken[0]}".`});
	return accepted(
		pairs.length === 0 ? undefined : Object.fromEntries(pairs.map(([name, value = '']) => [name, value])),
	);
};

/** The base of a new trace. */
export const baseFlag = text({
	summary: 'Branch that the new trace starts from and lands on; default: the one that is checked out.',
	hint: '<branch>',
});

/** Limits of a new trace, beside honey. */
export const limitFlags = {
	maxCost: decimal({summary: 'Limit in US dollars for all runs of the new trace together.', hint: '<usd>'}),
	maxTokens: integer({
		summary: 'Limit of tokens for all runs of the new trace together.',
		hint: '<n>',
		min: 1,
		max: 1_000_000_000_000_000,
	}),
};
