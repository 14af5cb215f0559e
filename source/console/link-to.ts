import type {Caller} from './caller.ts';
import type {KeyFile} from './key-file.ts';

/**
 * Returns a link that can be opened once. Its code is in the fragment (#), which browsers never send to a
 * server.
 */
export const createLoginLink = async (
	{makeCode}: Pick<KeyFile, 'makeCode'>,
	url: string,
	caller: Caller,
): Promise<string> => `${url}/#code=${await makeCode(caller)}`;
