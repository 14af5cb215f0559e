import {type Detail, type Refused, refuse} from '../domain/errors.ts';

/** The refusal of a configuration file that is broken: its first problem in words, all of them as details. */
export const refuseConfig = (problems: readonly Detail[]): Refused => {
	const [first] = problems;
	if (first === undefined) return refuse('invalid_config');
	return refuse('invalid_config', {
		message: `${first.path}: ${first.message}.`,
		...(first.hint && {hint: first.hint}),
		details: problems,
	});
};
