import {getSystemErrorName} from 'node:util';
import {HiveError} from '../../domain/errors.ts';
import type {Launch} from '../../ports/processes.ts';

/** Error that says, in words for people, why a run has no supervisor. */
export const launchFailure = (launch: Launch, cause: Error): HiveError =>
	new HiveError('internal', {
		message: `${launch.argv[0] ?? ''} could not be started: ${reason(cause, launch)}`,
		cause,
	});

/** @param report `<errno> <words>`, as perl prints it */
export const systemError = (report: string): NodeJS.ErrnoException => {
	const [, number = '', words = ''] = /^(\d+) (.*)$/.exec(report) ?? [];
	const code = Number(number) > 0 ? {code: getSystemErrorName(-Number(number))} : {};
	return Object.assign(new Error(words || 'the system gave no reason.'), code);
};

const reason = (error: NodeJS.ErrnoException, {argv, env, workspace}: Launch): string => {
	if (error.code === 'E2BIG') return `its arguments and environment are too large (${sizeOf(argv, env)}).`;
	if (error.code === 'EAGAIN') return 'the system allows no more processes for this user.';
	if (error.code === 'ENOENT') return `the workspace ${workspace} is not there.`;
	return error.message;
};

const sizeOf = (argv: Launch['argv'], env: Launch['env']): string => {
	const sizes = [...argv, ...Object.entries(env).map(pair => pair.join('='))].map(text =>
		Buffer.byteLength(text),
	);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	return `${total} bytes, the largest one ${Math.max(...sizes)}; 131072 is the limit for one`;
};
