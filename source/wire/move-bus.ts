import {hostname} from 'node:os';
import {join} from 'node:path';
import {refuseInsideRun} from '../actions/decide-and-append.ts';
import {addressHint, parseServers} from '../colony/bus-servers.ts';
import {areServersOf, type BusSettings, busName, busSettings} from '../colony/bus-settings.ts';
import type {Colony} from '../colony/colony.ts';
import {unknownCheckout} from '../colony/configuration/read.ts';
import {loadColony} from '../colony/load-colony.ts';
import {loadMachine, type Machine, machineFile} from '../colony/load-machine.ts';
import {withBusUrl} from '../colony/with-bus-url.ts';
import {accepted, expectAccepted, HiveError, type Outcome, refuse} from '../domain/errors.ts';
import type {LogMark} from '../domain/log-mark.ts';
import {openRuns} from '../domain/trace.ts';
import {createKernelLock} from '../drivers/kernel-lock.ts';
import type {BusMove, BusMoved, Surroundings} from '../host/host.ts';
import {machineFolder} from '../host/locate-colony.ts';
import {expectMovable, moveLog} from '../host/log-admin/move-log.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {EventStore} from '../ports/event-store.ts';
import type {RawLog} from '../ports/raw-log.ts';
import {missingInLog, moveNewest, type OwnCheckout} from '../runs/newest-event.ts';
import {embeddedStore, serverStore} from './choose-store.ts';
import {clock, files} from './drivers.ts';
import {expectNoReactor} from './expect-no-reactor.ts';
import {findRoot} from './find-root.ts';
import {findInsideRun} from './inside-run.ts';

/** One checkout whose log is moved. */
type Checkout = {
	readonly root: string;
	readonly colony: Colony;
	/** Machine-local folder. */
	readonly folder: string;
	readonly id: string;
	readonly machine: Machine | undefined;
	readonly env: Surroundings['env'];
};

/** Moves the log of the command's colony to a server, or into the file of this checkout (`hive bus move`). */
export const moveBus = async (
	{cwd, env}: Surroundings,
	{to, replace}: BusMove,
	signal: AbortSignal,
): Promise<Outcome<BusMoved>> => {
	const checkout = await readCheckout(cwd, env);
	const refused = refuseInsideRun({insideRun: await findInsideRun(env, checkout.root)});
	if (refused !== undefined) return refused;
	const target = readTarget(checkout, to);
	if (!target.ok) return target;
	const lock = createKernelLock(join(checkout.folder, 'reactor.lock'));
	if (!lock.take())
		return refuse('log_in_use', {message: 'The reactor of this checkout is alive; nothing was changed.'});
	try {
		return await moveBetween(checkout, {to, replace, target: target.value, signal});
	} finally {
		lock.release();
	}
};

const readCheckout = async (cwd: string, env: Surroundings['env']): Promise<Checkout> => {
	const root = env.HIVE_COLONY_ROOT || (await findRoot(cwd));
	const colony = expectAccepted(await loadColony(files, root));
	const folder = machineFolder(env, root, colony.slug);
	const id = (await files.read(join(folder, 'place')))?.trim();
	if (id === undefined) throw unknownCheckout(root);
	return {root, colony, folder, id, env, machine: expectAccepted(await loadMachine(files, folder))};
};

/** Returns the bus that `--to` names; undefined for the embedded store. */
const readTarget = ({machine}: Checkout, to: string): Outcome<BusSettings | undefined> => {
	if (to === 'embedded') return accepted(undefined);
	const named = parseServers(to);
	if (!named.ok)
		return refuse('usage', {
			message: `--to is neither an address of a server nor "embedded": ${named.problem}.`,
			hint: addressHint,
		});
	const {url: _url, lastUrl: _lastUrl, ...login} = machine?.bus ?? {};
	if (!areServersOf(machine?.bus ?? {}, named.servers) && Object.keys(login).length > 0)
		return refuse('usage', {
			message: 'The bus settings in config.yaml are not for the server that --to names.',
			hint: 'Write the bus settings of that server into config.yaml, with its url. If the log is on another server now, set HIVE_BUS_URL to that one. Then run the command again.',
		});
	return busSettings({HIVE_BUS_URL: to}, machine);
};

type Move = BusMove & {
	readonly target: BusSettings | undefined;
	readonly signal: AbortSignal;
};

const moveBetween = async (checkout: Checkout, move: Move): Promise<Outcome<BusMoved>> => {
	const {colony, folder, env, machine, root} = checkout;
	const own = {root, checkout: checkout.id};
	const {target} = move;
	const embedded = embeddedStore(folder);
	const storeAt = (bus: BusSettings | undefined) => (bus === undefined ? embedded : serverStore(bus, colony));
	const named = expectAccepted(busSettings(env, machine));
	// If the present bus is already the target, config.yaml or HIVE_BUS_URL named it before.
	const isNamed = named?.shown === target?.shown;
	if (isNamed && (target === undefined || !(await holdsLog(embedded, target.shown))))
		return alreadyAt(target);
	const before = isNamed ? undefined : named;
	const words = {from: busName(before), to: busName(target)};
	const source = await openSource(storeAt(before));
	try {
		const moved = markOf(target, root);
		const isClosed = await expectMovable(source, moved);
		if (!isClosed) await expectOurs(source, own);
		const expectQuiet = () => expectNobody(source, checkout.id);
		if (!isClosed) await expectQuiet();
		// An interrupted move has set the file aside already.
		const aside = target === undefined && !isClosed ? await clearFile(embedded) : undefined;
		const copy = await storeAt(target).openRaw();
		try {
			const copied = await moveLog({
				...{source, target: copy, moved, expectQuiet, checkout: checkout.id},
				...{replace: move.replace, signal: move.signal},
				from: before === undefined ? `embedded ${checkout.id}` : before.shown,
			});
			if (copied.wasOver && isInConfig(checkout, target)) return alreadyAt(target);
			await moveNewest(files, own, copy.bus.address);
			await nameInConfig(checkout, move);
			const {wasOver: _, ...counts} = copied;
			return accepted({...words, ...counts, aside, overridden: overridden(checkout, target)});
		} finally {
			await copy.close();
		}
	} finally {
		await source.close();
	}
};

const alreadyAt = (target: BusSettings | undefined): Outcome<never> =>
	refuse('wrong_status', {
		message: `The log is ${target === undefined ? 'embedded' : `at ${target.shown}`} already, or config.yaml names that place.`,
		hint: 'To continue an interrupted move, set HIVE_BUS_URL to the bus where it started.',
	});

const isInConfig = ({machine}: Checkout, target: BusSettings | undefined): boolean =>
	expectAccepted(busSettings({}, machine))?.shown === target?.shown;

const markOf = (target: BusSettings | undefined, root: string): LogMark & {readonly state: 'moved'} =>
	target === undefined
		? {state: 'moved', to: 'embedded', of: `${root} on ${hostname()}`}
		: {state: 'moved', to: target.shown};

/** True if a move to `to` begins, or began, from the file of this checkout. */
const holdsLog = async (own: EventStore, to: string): Promise<boolean> => {
	if ((await own.probe()).state === 'absent') return false;
	const log = await own.openRaw();
	try {
		const mark = await log.mark();
		return mark === undefined ? (await log.last()) > 0 : mark.state === 'moved' && mark.to === to;
	} finally {
		await log.close();
	}
};

/** Throws if there is no log: moving must not create one. */
const openSource = async (store: EventStore): Promise<RawLog> => {
	const probe = await store.probe();
	if (probe.state === 'absent')
		throw new HiveError('wrong_status', {
			message: `There is no log at ${store.location} that could be moved.`,
			hint: 'Set bus.url in config.yaml to the new bus: a new log starts there.',
		});
	if (probe.state === 'newer') throw new HiveError('read_only_log');
	return store.openRaw();
};

/** Throws `log_replaced` if the log lacks events that were read from it before. */
const expectOurs = async ({bus}: RawLog, own: OwnCheckout): Promise<void> => {
	const missing = await missingInLog(bus, files, own);
	if (missing === undefined) return;
	throw new HiveError('log_replaced', {
		message: `The log at ${bus.address} is not the one that .hive/runs was written from: ${missing}.`,
	});
};

/**
 * Throws `log_in_use` if a reactor runs in another checkout, and `run_open` if a run is open. The caller
 * holds the lock of this checkout's reactor.
 */
const expectNobody = async ({bus}: RawLog, checkout: string): Promise<void> => {
	await expectNoReactor(bus, checkout);
	for (const trace of (await openLedger(bus)).traces().values()) {
		const [run] = openRuns(trace);
		if (run !== undefined)
			throw new HiveError('run_open', {
				message: `The run ${run.agentId} of ${run.bee} in ${trace.traceId} is still open; nothing was changed.`,
			});
	}
};

/** Renames a file that the log was moved away from, and returns its new name. */
const clearFile = async (own: EventStore): Promise<string | undefined> => {
	if ((await own.probe()).state === 'absent') return undefined;
	const present = await own.openRaw();
	const mark = await present.mark().finally(present.close);
	if (mark?.state !== 'moved') return undefined;
	const {setAside} = await import('../drivers/sqlite-bus/raw-log.ts');
	return setAside(own.location, new Date(clock.now()).toISOString());
};

/** Names the new bus in config.yaml. It comes last: until then the same command continues the move. */
const nameInConfig = async (checkout: Checkout, {to, target}: Move): Promise<void> => {
	if (isInConfig(checkout, target)) return;
	const {folder} = checkout;
	const file = join(folder, machineFile);
	const text = withBusUrl((await files.read(file)) ?? '', target === undefined ? undefined : to);
	await files.write(file, text, {mode: 0o600});
};

/** True if `HIVE_BUS_URL` names another place than the log's present one. */
const overridden = ({env, machine}: Checkout, target: BusSettings | undefined): boolean =>
	Boolean(env.HIVE_BUS_URL) && expectAccepted(busSettings(env, machine))?.shown !== target?.shown;
