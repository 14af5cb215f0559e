import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';

/** A process of the scratch colony. */
export type FoundProcess = {readonly pid: number; readonly command: string};

/**
 * Finds the processes that torture started, with all that these started. Each has the scratch home in its
 * environment, which no other process has, or is a supervisor of a run there. Without `/proc` the command
 * line alone is known, so only hive's own programs are found.
 */
export const findProcesses = (folder: string): readonly FoundProcess[] =>
	(process.platform === 'linux' ? ofProc(folder) : ofPs(folder)).filter(({pid}) => pid !== process.pid);

const ofProc = (folder: string): readonly FoundProcess[] => {
	const home = `HOME=${folder}/`;
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(name => {
			const command = read(`/proc/${name}/cmdline`);
			const environment = read(`/proc/${name}/environ`);
			const found = {pid: Number(name), command: command.replaceAll('\0', ' ').trim()};
			const isOfHome = environment.split('\0').some(entry => entry.startsWith(home));
			// The name that a supervisor gives itself is written over its environment.
			const isOfRun = isSupervisor(found) && command.includes(`${folder}/`);
			return isOfHome || isOfRun ? [found] : [];
		});
};

/** Empty if the process is gone, is a zombie, or belongs to another user. */
const read = (path: string): string => {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
};

const ofPs = (folder: string): readonly FoundProcess[] =>
	execFileSync('ps', ['-axww', '-o', 'pid=,command='], {encoding: 'utf8', maxBuffer: 2 ** 26})
		.split('\n')
		.filter(line => line.includes(`${folder}/`) && /hive/.test(line.replaceAll(folder, '')))
		.map(line => {
			const [, pid = '', command = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
			return {pid: Number(pid), command};
		});

export const isSupervisor = ({command}: FoundProcess): boolean => command.startsWith('hive-supervisor ');

/** Kills by id. A process that has ended meanwhile is no error. */
export const killProcess = (pid: number): boolean => {
	try {
		return process.kill(pid, 'SIGKILL');
	} catch {
		return false;
	}
};
