import {join} from 'node:path';
import {moveTrust} from '../colony/configuration/trust-file.ts';
import {type KnownCheckout, knownCheckouts} from '../colony/known-checkouts.ts';
import {machineFile} from '../colony/load-machine.ts';
import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {formatCount} from '../domain/format-count.ts';
import type {EventStore} from '../ports/event-store.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import type {Lock} from '../ports/lock.ts';
import {readNewest} from '../runs/newest-event.ts';
import {repairWorktrees} from '../workspaces/worktree/repair-worktrees.ts';

export type TakeOverContext = {
	readonly files: Files;
	readonly git: Git;
	/** Absolute folder that holds one machine-local directory per checkout. */
	readonly home: string;
	/** Returns the store of a machine-local directory that names no message bus. */
	readonly storeIn: (folder: string) => EventStore;
	/** Returns the lock that the directory's reactor holds while it is alive. */
	readonly reactorLock: (folder: string) => Lock;
};

/** A checkout that this machine does not know yet. */
export type Newcomer = {
	readonly root: string;
	readonly slug: string;
	/** Absolute machine-local directory that is free for it. */
	readonly folder: string;
	/** True if it takes over the log of a missing checkout; undefined while that is undecided. */
	readonly takesOver: boolean | undefined;
};

/** The checkout's earlier root, and the machine-local directory that it keeps. Both absolute. */
export type TakenOver = {readonly before: string; readonly folder: string};

/**
 * Lets a checkout that was moved, or cloned again, keep its earlier log (docs/architecture.md §3). Returns
 * undefined if it is to have a log of its own. Refused with `checkout_moved` while a log could be taken over
 * and that is undecided. A checkout that still exists keeps its log. May be repeated after a crash.
 */
export const takeOver = async (
	context: TakeOverContext,
	newcomer: Newcomer,
): Promise<Outcome<TakenOver | undefined>> => {
	const {root, takesOver} = newcomer;
	const known = await knownCheckouts(context.files, context.home, newcomer.slug);
	const newest = await readNewest(context.files, root);
	const writer = known.find(({id}) => id !== undefined && id === newest?.checkout);
	const gone = (writer === undefined ? known : [writer]).filter(({isThere}) => !isThere);
	const logs = await Promise.all(
		gone.map(checkout => logOnBus(checkout, newest) ?? readLog(context, checkout)),
	);
	const [log, ...others] = logs.filter(({traces}) => traces !== 0);
	if (log === undefined || takesOver === false)
		return takesOver === true ? nothingToTakeOver(known) : accepted(undefined);
	if (others.length > 0) return undecidedAmong([log, ...others]);
	return takesOver === undefined ? undecided(log) : moveHere(context, newcomer, log.checkout);
};

type LogOf = {
	readonly checkout: KnownCheckout;
	/** Undefined on a message bus, which is not asked. */
	readonly traces: number | undefined;
	readonly where: string;
};

/**
 * Returns the log if it is on a message bus, with its address. That address may have come from the
 * environment alone. Undefined if the log is a file.
 */
const logOnBus = (
	checkout: KnownCheckout,
	newest: Awaited<ReturnType<typeof readNewest>>,
): LogOf | undefined => {
	const written = newest?.checkout === checkout.id ? newest?.address : undefined;
	const bus = written ?? checkout.bus;
	return bus === undefined || bus === 'embedded'
		? undefined
		: {checkout, traces: undefined, where: `on the bus at ${bus}`};
};

const readLog = async ({storeIn}: TakeOverContext, checkout: KnownCheckout): Promise<LogOf> => {
	const where = `in ${checkout.folder}`;
	const store = storeIn(checkout.folder);
	const {state} = await store.probe();
	if (state !== 'sound' && state !== 'newer') return {checkout, traces: 0, where};
	const bus = await store.open();
	try {
		return {checkout, traces: (await bus.heads()).size, where};
	} finally {
		await bus.close();
	}
};

/** `config.yaml` is written last: until it names the new root, nothing has been taken over. */
const moveHere = async (
	{files, git, home, reactorLock}: TakeOverContext,
	{root, slug, folder: free}: Newcomer,
	from: KnownCheckout,
): Promise<Outcome<TakenOver>> => {
	// The directory without a suffix belongs to the checkout that its `config.yaml` names.
	const folder = from.folder === join(home, slug) ? from.folder : free;
	const lock = reactorLock(from.folder);
	if (!lock.take()) return reactorAlive(from);
	try {
		await moveTrust(files, from.folder, from.root, root);
		await repairWorktrees(git, files, root);
		const {withEntry} = await import('../colony/with-entry.ts');
		const config = withEntry((await files.read(join(from.folder, machineFile))) ?? '', 'colony_root', root);
		if (folder !== from.folder) await files.move(from.folder, folder);
		await files.write(join(folder, machineFile), config, {mode: 0o600});
	} finally {
		lock.release();
	}
	return accepted({before: from.root, folder});
};

const formatLog = ({checkout, traces, where}: LogOf): string => {
	const log = traces === undefined ? 'its log' : `its log, of ${formatCount(traces, 'trace')},`;
	return `The checkout of this colony at ${checkout.root} is gone; ${log} is ${where}.`;
};

const undecided = (log: LogOf): Refused => refuse('checkout_moved', {message: formatLog(log)});

const undecidedAmong = (logs: readonly LogOf[]): Refused =>
	refuse('checkout_moved', {
		message: `${logs.length} checkouts of this colony are gone, and any of them may have been this one.`,
		hint: 'Move the folders of unwanted logs aside, then run "hive init --take-over". Or start a new log with "hive init --no-take-over".',
		details: logs.map(log => ({path: log.checkout.folder, message: formatLog(log)})),
	});

const nothingToTakeOver = (known: readonly KnownCheckout[]): Refused => {
	const present = known.find(({isThere}) => isThere);
	return refuse('wrong_status', {
		message:
			present === undefined
				? 'This machine has no log of this colony that could be taken over.'
				: `The checkout ${present.root} is still there and keeps its log.`,
		hint: 'Run "hive init" without --take-over to start a new log.',
	});
};

const reactorAlive = ({root}: KnownCheckout): Refused =>
	refuse('wrong_status', {
		message: `The reactor of the checkout that was at ${root} is still alive.`,
		hint: 'Stop that reactor, then run "hive init --take-over" again.',
	});
