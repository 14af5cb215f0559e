import {join} from 'node:path';
import {type WriteAccepted, writeAccepted} from '../colony/configuration/trust.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {clock, files} from './drivers.ts';

/** @param folder machine-local folder */
export const writeAcceptedIn =
	(folder: string): WriteAccepted =>
	(paths, write) => {
		const lock = createKernelLock(join(folder, 'configuration.lock'));
		return writeAccepted({files, clock, lock}, folder, paths, write);
	};
