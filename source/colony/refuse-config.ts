import {type Detail, type Refused, refuse} from '../domain/errors.ts';

/** The refusal for a broken configuration file: its first problem as the message, all of them as details. */
export const refuseConfig = (problems: readonly Detail[]): Refused => {
	const [first] = problems;
	if (first === undefined) return refuse('invalid_config');
	return refuse('invalid_config', {
		message: `${first.path}: ${first.message}.`,
		...(first.hint && {hint: first.hint}),
		details: problems,
	});
};
