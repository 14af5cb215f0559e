import {fileURLToPath} from 'node:url';
import {findProgram} from '../colony/bee-programs.ts';
import {processes} from './drivers.ts';

/** Folder of this hive's executable, first on the PATH of agents. */
export const binDir = fileURLToPath(new URL('bin', import.meta.url));

/** Returns the path at which agents of this machine find the program. */
export const findAgentProgram = (program: string): Promise<string | undefined> =>
	findProgram(processes.which, binDir, program);
