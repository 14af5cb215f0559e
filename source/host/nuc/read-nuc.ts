import type {ConfigContext} from '../../actions/context.ts';
import {maxNucBytes} from '../../colony/nuc.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';

/** The text of a nuc file, absolute; one byte more than a nuc may have is enough to know. */
export const readNucFile = async (
	{files}: Pick<ConfigContext, 'files'>,
	file: string,
): Promise<Outcome<string>> =>
	(await files.size(file)) === undefined
		? refuse('file_not_found', {message: `There is no file ${file}.`})
		: accepted(new TextDecoder().decode(await files.readBytes(file, 0, maxNucBytes + 1)));
