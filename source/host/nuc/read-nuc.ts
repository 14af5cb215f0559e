import type {ConfigContext} from '../../actions/context.ts';
import {maxNucBytes} from '../../colony/nuc.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';

/**
 * Reads a nuc file by its absolute path, up to one byte more than a nuc may have. That is enough to refuse
 * it.
 */
export const readNucFile = async (
	{files}: Pick<ConfigContext, 'files'>,
	file: string,
): Promise<Outcome<string>> =>
	(await files.size(file)) === undefined
		? refuse('file_not_found', {message: `There is no file ${file}.`})
		: accepted(new TextDecoder().decode(await files.readBytes(file, 0, maxNucBytes + 1)));
