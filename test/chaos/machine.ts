import {readdirSync, readFileSync, readlinkSync} from 'node:fs';

/**
 * Returns the processes with the text in their command line, environment or open files, except this process
 * and zombies. Linux only.
 */
export const processesHolding = (text: string): number[] =>
	readdirSync('/proc')
		.filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter(pid =>
			[commandLineOf, environmentOf, filesOf].some(of => of(pid).some(entry => entry.includes(text))),
		)
		.map(Number);

/** Returns those processes that carry the mark of a run. */
export const agentsHolding = (text: string): number[] =>
	processesHolding(text).filter(pid =>
		environmentOf(String(pid)).some(entry => entry.startsWith('HIVE_AGENT_ID=')),
	);

/** Kills all processes that hold the text. */
export const endHolding = (text: string): void => {
	for (const pid of processesHolding(text)) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// The process ended by itself.
		}
	}
};

/** Returns the command line of a process, for people. */
export const describeProcess = (pid: number): string =>
	`${pid}: ${commandLineOf(String(pid)).join(' ').slice(0, 200)}`;

export const commandLineOf = (pid: string): string[] => entriesOf(`/proc/${pid}/cmdline`);
const environmentOf = (pid: string): string[] => entriesOf(`/proc/${pid}/environ`);

const filesOf = (pid: string): string[] => {
	try {
		return readdirSync(`/proc/${pid}/fd`).map(file => readlinkSync(`/proc/${pid}/fd/${file}`));
	} catch {
		return [];
	}
};

/** Returns nothing if the process is gone, is a zombie, or belongs to another user. */
const entriesOf = (path: string): string[] => {
	try {
		return readFileSync(path, 'latin1').split('\0');
	} catch {
		return [];
	}
};
