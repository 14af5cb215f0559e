import {execFileSync} from 'node:child_process';
import type {ColonyOnDisk} from './colony-on-disk.ts';

/** Command lines of the living processes that name the colony: reactors, supervisors and agents do. */
export const processesOf = ({root}: Pick<ColonyOnDisk, 'root'>): string[] =>
	execFileSync('ps', ['-A', '-o', 'stat=', '-o', 'args='], {encoding: 'utf8', maxBuffer: 1e8})
		.split('\n')
		.filter(line => line.includes(root) && !line.startsWith('Z'));
