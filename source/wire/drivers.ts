import {fileURLToPath} from 'node:url';
import {createIdSource} from '../domain/ids.ts';
import {createSystemClock} from '../drivers/clock.ts';
import {createContainment} from '../drivers/containment/containment.ts';
import {crashAt} from '../drivers/crash-at.ts';
import {createFiles} from '../drivers/files.ts';
import {createProcesses} from '../drivers/processes/processes.ts';
import {randomHex} from '../drivers/random.ts';
import {createSpool} from '../drivers/spool.ts';
import type {Git} from '../ports/git.ts';

/** Returns the path of a program beside the running one. */
export const bundle = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The drivers of this process that need no opening. */
export const clock = createSystemClock();
export const files = createFiles();
export const processes = createProcesses({clock});
export const containment = createContainment(processes.which, [
	process.execPath,
	bundle('contain-proxy.cjs'),
]);
export const spool = createSpool();
export const failpoint = crashAt(process.env.HIVE_CRASH_AT);
export const ids = createIdSource(clock.now, randomHex);

/**
 * Git, whose driver is loaded at its first use: many commands start without it.
 * @param accepted see `createGit`
 */
export const createLazyGit = (accepted?: () => Promise<ReadonlySet<string>>): Git => {
	let loading: Promise<Git> | undefined;
	const load = (): Promise<Git> => {
		loading ??= import('../drivers/git.ts').then(({createGit}) => createGit(process.env, accepted));
		return loading;
	};
	return {
		attempt: async (args, options) => (await load()).attempt(args, options),
		run: async (args, options) => (await load()).run(args, options),
		folders: async cwd => (await load()).folders(cwd),
		settings: async cwd => (await load()).settings(cwd),
		knownSettings: async cwd => (await load()).knownSettings(cwd),
		leftOut: async cwd => (await load()).leftOut(cwd),
		withScratch: async (...given) => (await load()).withScratch(...given),
		withIndexCopy: async (...given) => (await load()).withIndexCopy(...given),
	};
};

export const git: Git = createLazyGit();
