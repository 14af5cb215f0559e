import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {ProcessFacts, ProcessTable} from './process-table.ts';

/** Reads `ps`, for systems without /proc (macOS). */
export const psTable: ProcessTable = {
	bootId: async () => (await output('sysctl', ['-n', 'kern.bootsessionuuid'])).trim(),
	find: async pid => parseRows(await output('ps', ['-o', columns, '-p', String(pid)]))[0],
	isSurelyThere: () => false,
	// `ps` reports wall time only.
	now: () => new Date().toUTCString().replace(' GMT', ''),
	ageOf: startTime => Math.max(Date.now() - Date.parse(`${startTime} UTC`), 0),
	list: async mark => {
		const user = ['-U', String(process.geteuid?.())];
		const [rows, environments] = await Promise.all([
			output('ps', [...user, '-o', columns]),
			output('ps', [...user, '-wwE', '-o', 'pid=,command=']),
		]);
		const marked = new Set(
			environments
				.split('\n')
				.filter(line => ` ${line} `.includes(` ${mark} `))
				.map(line => Number.parseInt(line, 10)),
		);
		return parseRows(rows).map(facts => ({...facts, marked: marked.has(facts.pid)}));
	},
};

const columns = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';

/** `lstart` has five words, as in `Fri Nov 20 10:35:55 2026`. */
const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s+(.+)$/;

export const parseRows = (text: string): ProcessFacts[] =>
	text.split('\n').flatMap(line => {
		const [, pid, parent, group, state = 'Z', startTime = '', program = ''] = row.exec(line) ?? [];
		if (state.startsWith('Z')) return [];
		const name = program.slice(program.lastIndexOf('/') + 1);
		const started = startTime.split(/\s+/).join(' ');
		return [
			{pid: Number(pid), parent: Number(parent), group: Number(group), startTime: started, program: name},
		];
	});

/**
 * Returns a command's output. `ps` prints start times in the caller's zone and language, so both are fixed,
 * as in the supervisor.
 */
const output = async (command: string, args: readonly string[]): Promise<string> => {
	try {
		const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'};
		return (await promisify(execFile)(command, args, {env, maxBuffer: 2 ** 26})).stdout;
	} catch {
		return '';
	}
};
