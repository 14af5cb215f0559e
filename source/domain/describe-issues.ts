import type * as z from 'zod/mini';

/**
 * Describes what is wrong with a value, where its schema has no message of its own. Given to each parse,
 * because a language that another module sets for all of zod must not change what a refusal says.
 */
export const describeIssues: {readonly error: z.core.$ZodErrorMap} = {
	error: issue => {
		switch (issue.code) {
			case 'invalid_type':
				return `expected ${typeLabels[issue.expected] ?? issue.expected}`;
			case 'too_small':
				return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
			case 'too_big':
				return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
			case 'unrecognized_keys':
				return `unknown: ${issue.keys.join(', ')}`;
			case 'invalid_value':
				return `expected one of ${issue.values.map(String).join(', ')}`;
			default:
				return 'is not valid';
		}
	},
};

const typeLabels: Readonly<Record<string, string>> = {
	string: 'text',
	int: 'a whole number',
	number: 'a number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
};
