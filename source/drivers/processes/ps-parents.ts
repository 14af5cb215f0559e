import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {ProcessFacts} from './process-table.ts';
import {parseRows, psTable} from './ps-table.ts';

const columns = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';

export const {bootId} = psTable;

/** Returns every process of the machine by its pid, from one call: `ps` takes milliseconds. */
export const listAll = async (): Promise<ReadonlyMap<number, ProcessFacts>> => {
	const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'};
	const {stdout} = await promisify(execFile)('ps', ['-axo', columns], {env, maxBuffer: 2 ** 26});
	return new Map(parseRows(withShortNames(stdout)).map(facts => [facts.pid, facts]));
};

/** Removes the path of the run, which a supervisor adds to its own process name. */
const withShortNames = (text: string): string => text.replaceAll(/(hive-supervisor) .*$/gm, '$1');
