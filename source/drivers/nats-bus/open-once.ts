import {answers, isAnswer} from './failure.ts';
import type {Link} from './link.ts';

/**
 * Opens a store of the server, which makes it where it is not there, at the first call and again after a
 * connection was lost: the server may have been exchanged meanwhile. What failed is tried again by the next
 * call.
 */
export const openOnce = <Store>(link: Link, create: () => Promise<Store>): (() => Promise<Store>) => {
	let opening: {readonly held: AbortSignal; readonly store: Promise<Store>} | undefined;
	const open = async (): Promise<Store> => {
		try {
			return await link.use(create);
		} catch (error) {
			// Somebody else made it at the same moment: it is there now.
			if (isAnswer(error, answers.nameTaken)) return link.use(create);
			throw error;
		}
	};
	return () => {
		const held = link.held();
		if (opening?.held === held) return opening.store;
		const own = {held, store: open()};
		opening = own;
		own.store.catch(() => {
			if (opening === own) opening = undefined;
		});
		return own.store;
	};
};
