import {refuse} from '../../domain/errors.ts';
import type {Invocation} from '../invocation.ts';

/** A script bee consists of its command only, so it is refused without one. */
export const refuseWithoutCommand = ({bee: {role, file}}: Invocation) =>
	refuse('invalid_config', {
		message: `The script bee "${role}" has no command.`,
		hint: `Set "command" in ${file}.`,
	});
