import type {Caller} from './caller.ts';
import type {KeyFile} from './key-file.ts';

/** A link that can be opened once. Its code stands behind the #, which no browser sends to anybody. */
export const linkTo = async (
	{makeCode}: Pick<KeyFile, 'makeCode'>,
	url: string,
	caller: Caller,
): Promise<string> => `${url}/#code=${await makeCode(caller)}`;
