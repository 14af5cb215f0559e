import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {CommandContext} from './command-context.ts';

/** Reads the file that the command line names, or standard input for `-`. */
export const readText = async (
	file: string,
	{cwd, stdin}: Pick<CommandContext, 'cwd' | 'stdin'>,
): Promise<Outcome<string>> => {
	if (file === '-') return accepted(await stdin());
	try {
		return accepted(await readFile(path.resolve(cwd, file), 'utf8'));
	} catch (error) {
		return refuse('usage', {
			message: `${file} cannot be read: ${errorMessage(error)}`,
		});
	}
};
