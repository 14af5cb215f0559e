import {ForgeError} from '../../ports/forge.ts';

/** Removes something, or finds that it is gone. */
export const removeOnce = async (remove: () => Promise<unknown>): Promise<void> => {
	try {
		await remove();
	} catch (error) {
		if (!(error instanceof ForgeError) || error.trouble !== 'not_found') throw error;
	}
};
