import {dirname, join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import {knownCheckouts} from '../colony/known-checkouts.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {files} from './drivers.ts';

/** Finds another checkout of the colony whose machine-local folder is beside this one's. */
export const findOtherCheckout = async (
	folder: string,
	slug: string,
	id: string,
): ReturnType<ActionContext['otherCheckout']> => {
	const known = await knownCheckouts(files, dirname(folder), slug);
	const other = known.find(checkout => checkout.folder !== folder && checkout.id === id);
	if (other === undefined) return undefined;
	// The lock of an existing checkout is not tried: a try could keep its reactor from starting.
	return {...other, isAttended: other.isThere || isHeld(join(other.folder, 'reactor.lock'))};
};

const isHeld = (file: string): boolean => {
	const lock = createKernelLock(file);
	const isFree = lock.take();
	lock.release();
	return !isFree;
};
