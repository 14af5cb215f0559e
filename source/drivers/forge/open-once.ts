import {ForgeError, type ForgeRequest, type ForgeTrouble} from '../../ports/forge.ts';

/** What a forge answers if there is an open request from the branch already. */
const known: readonly ForgeTrouble[] = ['refused', 'conflict'];

/** Opens a request, or returns the open one from the branch that made the forge refuse. */
export const openOnce = async <Opened extends ForgeRequest>(
	open: () => Promise<Opened>,
	find: () => Promise<ForgeRequest | undefined>,
): Promise<Opened | ForgeRequest> => {
	try {
		return await open();
	} catch (error) {
		if (!(error instanceof ForgeError) || !known.includes(error.trouble)) throw error;
		const found = await find();
		if (found?.state !== 'open') throw error;
		return found;
	}
};
