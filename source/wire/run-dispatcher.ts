import {dirname, join} from 'node:path';
import {startFromUpstream} from '../actions/share-base.ts';
import {createDispatcher, type Dispatcher} from '../dispatch/dispatcher.ts';
import type {DispatchPorts} from '../dispatch/ports.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import {createEmitSpooled} from '../host/emit/emit-spooled.ts';
import {fencing} from '../ledger/fencing.ts';
import {createPortBlocks, type PortBlocks} from '../workspaces/worktree/port-blocks.ts';
import {binDir} from './agent-programs.ts';
import {bundle, clock, containment, failpoint, files, processes, spool} from './drivers.ts';
import {holderFlags} from './holder-flags.ts';
import type {OpenColony} from './opened-colony.ts';

/** The parts of an open colony that a dispatcher needs. */
export type DispatchedColony = Pick<OpenColony, 'context' | 'configuration' | 'bus' | 'settings' | 'folder'>;

/** Creates the dispatcher of this process, for its reactor and for code that ends a run without one. */
export const createRunDispatcher = (
	{context, configuration, bus, settings, folder}: DispatchedColony,
	{environment, report}: Pick<DispatchPorts, 'environment' | 'report'>,
): Dispatcher =>
	createDispatcher({
		...{bus: fencing(bus, context.checkout), checkout: context.checkout},
		...{clock, files, git: context.git, processes, failpoint, environment, settings, report},
		...{spool, containment},
		emitSpooled: createEmitSpooled(context),
		startFromUpstream: traceId => startFromUpstream(context, traceId),
		redact: context.redact,
		writers: configuration,
		machineDir: folder,
		portBlocks: openPortBlocks(folder),
		colony: () => context.colony,
		prices: () => configuration.current().machine.prices ?? new Map(),
		binDir,
		holder: [process.execPath, ...holderFlags, bundle('hold-session.cjs')],
		treeTaker: [process.execPath, bundle('take-tree.cjs')],
	});

/** The port blocks of this machine: their claims are beside the folders of all its checkouts. */
export const openPortBlocks = (folder: string): PortBlocks => {
	const home = dirname(folder);
	return createPortBlocks(
		{files, clock, lock: createKernelLock(join(home, 'ports.lock'), {staysOpen: true})},
		join(home, 'ports.json'),
	);
};
