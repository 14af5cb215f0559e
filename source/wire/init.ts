import {join} from 'node:path';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {type InitInput, type InitReport, initColony} from '../actions/init.ts';
import type {Outcome} from '../domain/errors.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {randomHex} from '../drivers/random.ts';
import type {Surroundings} from '../host/host.ts';
import {machineHome} from '../host/locate-colony.ts';
import {embeddedStore} from './choose-store.ts';
import {files, git, processes} from './drivers.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';
import {writeAcceptedIn} from './write-accepted.ts';

/** Makes the checkout around a command a colony (`hive init`). */
export const init = async ({cwd, env}: Surroundings, input: InitInput): Promise<Outcome<InitReport>> => {
	const root = await findRoot(cwd);
	const refused = refuseInsideRun({insideRun: await findInsideRun(env, root)});
	if (refused !== undefined) return refused;
	return initColony(
		{
			...{files, git, processes, randomHex},
			home: machineHome(env),
			storeIn: embeddedStore,
			writeAcceptedIn,
			reactorLock: folder => createKernelLock(join(folder, 'reactor.lock')),
		},
		{...input, root},
	);
};
