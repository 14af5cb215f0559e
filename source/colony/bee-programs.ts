import {isAbsolute, join} from 'node:path';
import type {Processes} from '../ports/processes.ts';
import {acpAgents, toolAdapterOf} from './acp-agents.ts';
import type {Bee, Colony} from './colony.ts';
import type {MachineFile} from './parse/machine.ts';

/**
 * The program of a bee: the first word of its command, its own `binary`, that of its ACP agent, this
 * machine's `binary`, or the adapter's name.
 */
export const programOf = (bee: Bee, settings: MachineFile['adapters'] = {}): string => {
	const {command, params, agent} = bee;
	const tool = toolAdapterOf(bee);
	return (
		command?.[0] ??
		(typeof params.binary === 'string' && params.binary !== '' ? params.binary : undefined) ??
		(agent && acpAgents[agent].program) ??
		settings[tool]?.binary ??
		tool
	);
};

/**
 * Finds a program as agents would: on PATH, else in the folder of this hive. Undefined if it is not there.
 */
export const findProgram = async (
	which: Processes['which'],
	binDir: string,
	program: string,
): Promise<string | undefined> => (await which(program)) ?? (await which(join(binDir, program)));

/** The missing programs of bees, by role. Programs that are only known during a run are not looked up. */
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
 * True if the program is known before a run. A script needs a command. A relative path belongs to the
 * workspace, and variables are set per run.
 */
const isKnownBefore = ({adapter, command}: Bee, program: string): boolean =>
	(adapter !== 'script' || command !== undefined) &&
	!program.includes('$') &&
	(!program.includes('/') || isAbsolute(program));
