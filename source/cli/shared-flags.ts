import {decimal, integer, text} from './flags.ts';

/** Flags that mean the same in every command that has them. */
export const traceFlag = text({
	summary: 'Trace to act on; the end of its id is enough.',
	hint: '<id>',
	required: true,
	complete: 'traces',
});

export const taskFlag = text({summary: 'Task to act on.', hint: '<id>', required: true, complete: 'tasks'});

export const bodyFlag = text({summary: 'What is to be done, as free text.', hint: '<text>', short: 'b'});

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
