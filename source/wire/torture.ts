import {tmpdir} from 'node:os';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {type TortureReport, tortureSpace} from '../domain/torture.ts';
import {readFreeSpace} from '../drivers/torture/space.ts';
import {torture} from '../drivers/torture/torture.ts';
import type {Surroundings} from '../host/host.ts';
import {git} from './drivers.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';

/** Plays faults on a copy of the repository around the working directory, which needs no colony. */
export const tortureHere = async (
	{cwd, env}: Surroundings,
	minutes: number,
	signal: AbortSignal,
): Promise<Outcome<TortureReport>> => {
	const source = await findRoot(cwd);
	const refused = refuseInsideRun({insideRun: await findInsideRun(env, source)});
	if (refused !== undefined) return refused;
	const needed = tortureSpace + (await sizeOfCopy(source));
	const free = await readFreeSpace(tmpdir());
	if (free < needed)
		return refuse('no_space', {
			message: `Torture needs ${megabytes(needed)} MB free in ${tmpdir()}, and there are ${megabytes(free)} MB.`,
		});
	const program = process.argv[1] ?? '';
	return accepted(await torture({source, program, searchPath: env.PATH, minutes, signal}));
};

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** Bytes of the copy: the objects once, and about twice as much in files and new objects. */
const sizeOfCopy = async (root: string): Promise<number> => {
	const counted = await git.run(['count-objects', '-v'], {cwd: root});
	const kibibytes = [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size));
	return 3 * 1024 * kibibytes.reduce((sum, size) => sum + size, 0);
};
