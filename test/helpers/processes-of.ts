import {execFileSync} from 'node:child_process';
import type {ColonyOnDisk} from './colony-on-disk.ts';

/**
 * Returns the command lines of running processes that name the colony, such as reactors, supervisors and
 * agents.
 */
export const processesOf = ({root}: Pick<ColonyOnDisk, 'root'>): string[] =>
	execFileSync('ps', ['-A', '-o', 'stat=', '-o', 'args='], {encoding: 'utf8', maxBuffer: 1e8})
		.split('\n')
		.filter(line => line.includes(root) && !line.startsWith('Z'));
