import {isAbsolute, join} from 'node:path';
import type {Processes} from '../ports/processes.ts';
import type {Bee, Colony} from './colony.ts';
import type {MachineFile} from './parse/machine.ts';

/**
 * What a bee starts: the first word of its command, its own `binary`, that of this machine, or the adapter's
 * own name.
 */
export const programOf = ({command, params, adapter}: Bee, settings: MachineFile['adapters'] = {}): string =>
	command?.[0] ??
	(typeof params.binary === 'string' && params.binary !== '' ? params.binary : undefined) ??
	settings[adapter]?.binary ??
	adapter;

/** Where agents find the program: on PATH, behind the folder of this hive; nothing where it is not. */
export const findProgram = async (
	which: Processes['which'],
	binDir: string,
	program: string,
): Promise<string | undefined> => (await which(program)) ?? (await which(join(binDir, program)));

/**
 * Of each bee whose program is not on this machine, by its role, that program. Those that only a run can tell
 * are not looked for.
 */
export const findMissingPrograms = async (
	{bees}: Colony,
	settings: MachineFile['adapters'],
	find: (program: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> => {
	const wanted = [...bees.values()]
		.map(bee => ({bee, program: programOf(bee, settings)}))
		.filter(({bee, program}) => isKnownBefore(bee, program));
	const programs = [...new Set(wanted.map(({program}) => program))];
	const found = await Promise.all(programs.map(find));
	const missing = new Set(programs.filter((_, index) => found[index] === undefined));
	return new Map(
		wanted.filter(({program}) => missing.has(program)).map(({bee, program}) => [bee.role, program]),
	);
};

/**
 * A script has its command alone; a relative path is one of the workspace, and variables are put in for a
 * run.
 */
const isKnownBefore = ({adapter, command}: Bee, program: string): boolean =>
	(adapter !== 'script' || command !== undefined) &&
	!program.includes('$') &&
	(!program.includes('/') || isAbsolute(program));
