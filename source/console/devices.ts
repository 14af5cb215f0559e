import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {type Device, deviceIdleDays} from '../domain/device.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {parseObject} from '../domain/json.ts';
import type {Host} from '../host/host.ts';
import type {Caller} from './caller.ts';

/** Milliseconds. */
const minute = 60_000;
const hour = 60 * minute;
const idleLimit = deviceIdleDays * 24 * hour;

/**
 * Max devices per token. A token may log in any number of devices, so the least recently used ones are
 * removed.
 */
const mostByToken = 32;

/** A browser that logs in. */
type Arrival = Pick<Device, 'name' | 'agent' | 'scope'> & {readonly by: 'link' | 'token'};

/**
 * The browsers that are logged in. Each has a file, so that two processes never overwrite each other. A
 * second file has the time of the last use, so that writing it late cannot bring back a revoked device.
 */
export type Devices = {
	/** Adds a device and returns its id. */
	readonly add: (arrival: Arrival) => Promise<string>;
	/**
	 * Returns the device as a caller, and records its use. Undefined if it was revoked, or was unused for
	 * `deviceIdleDays`.
	 */
	readonly admit: (device: string) => Promise<Caller | undefined>;
	/** The devices that are still valid, the most recently used first. */
	readonly list: () => Promise<readonly Device[]>;
	/** Revokes a device in every process, and returns it. Refused (`device_not_found`) for an unknown id. */
	readonly revoke: (device: string) => Promise<Outcome<Device>>;
	readonly revokeAll: () => Promise<void>;
	/**
	 * Calls `call` once when the device becomes invalid, until the signal aborts. Meanwhile the device counts
	 * as in use.
	 */
	readonly whenGone: (device: string, signal: AbortSignal, call: () => void) => void;
	/** Watches for devices that other processes revoke, until the signal aborts. */
	readonly follow: (signal: AbortSignal) => Promise<void>;
};

type Parts = Pick<Awaited<ReturnType<Host['open']>>, 'files' | 'clock'> & {readonly folder: string};

const mine = {mode: 0o600};

/** @param folder absolute; created with the first device */
export const openDevices = ({files, clock, folder}: Parts): Devices => {
	const pathOf = (device: string): string => join(folder, device);
	const lastUsePath = (device: string): string => join(folder, `${device}.used`);
	const listeners = new Set<() => void>();

	const remove = async (device: string): Promise<void> => {
		await files.remove(pathOf(device));
		await files.remove(lastUsePath(device));
	};
	/** Also finds a device that was unused for too long. */
	const find = async (device: string): Promise<Kept | undefined> => {
		if (!isDeviceId(device)) return undefined;
		const kept = readKept(device, await files.read(pathOf(device)));
		if (kept === undefined) return undefined;
		const used = Number.parseInt((await files.read(lastUsePath(device))) ?? '', 10);
		return Number.isNaN(used) ? kept : {...kept, usedAt: used};
	};
	/** After the clock was set back, last uses lie in the future. Far future ones count as idle too. */
	const isIdle = ({usedAt}: Kept): boolean => Math.abs(clock.now() - usedAt) > idleLimit;
	const findAll = async (names: readonly string[]): Promise<readonly Kept[]> => {
		const all: Kept[] = [];
		for (const name of names) {
			const kept = await find(name);
			if (kept !== undefined) all.push(kept);
		}
		return all.sort((one, other) => other.usedAt - one.usedAt);
	};
	/** Makes room for a new device: removes invalid ones, and the least recently used ones above the limit. */
	const tidy = async ({by, scope}: Arrival): Promise<void> => {
		// One listing for all: a device that another process adds meanwhile is not in it, and is kept.
		const names = await files.list(folder);
		const all = (await findAll(names)).filter(kept => !isIdle(kept));
		const alike = all.filter(kept => by === 'token' && kept.by === by && kept.scope === scope);
		const gone = alike.slice(mostByToken - 1);
		const stay = new Set(all.filter(kept => !gone.includes(kept)).map(({device}) => device));
		for (const name of names) {
			const device = name.replace(/\.used$/, '');
			if (isDeviceId(device) && !stay.has(device)) await files.remove(join(folder, name));
		}
	};
	const admit = async (device: string): Promise<Caller | undefined> => {
		const kept = await find(device);
		if (kept === undefined || isIdle(kept)) return undefined;
		const now = clock.now();
		// A failed write, such as on a full disk, must not lock a device out.
		if (Math.abs(now - kept.usedAt) >= hour)
			await files.write(lastUsePath(device), `${now}\n`, mine).catch(() => {});
		return {scope: kept.scope, label: kept.name, device};
	};
	const tellAll = (): void => {
		for (const look of [...listeners]) look();
	};
	return {
		add: async arrival => {
			await files.makeFolder(folder, {mode: 0o700});
			await tidy(arrival);
			const device = randomBytes(6).toString('hex');
			const {name, agent, scope, by} = arrival;
			await files.write(
				pathOf(device),
				`${JSON.stringify({name, agent, scope, by, loggedInAt: clock.now()})}\n`,
				mine,
			);
			tellAll();
			return device;
		},
		admit,
		list: async () => (await findAll(await files.list(folder))).filter(kept => !isIdle(kept)).map(shownOf),
		revoke: async device => {
			const kept = await find(device);
			if (kept === undefined || isIdle(kept))
				return refuse('device_not_found', {message: `There is no device ${JSON.stringify(device)}.`});
			await remove(device);
			tellAll();
			return accepted(shownOf(kept));
		},
		revokeAll: async () => {
			// The folder is kept, since other processes watch it.
			for (const name of await files.list(folder)) await files.remove(join(folder, name));
			tellAll();
		},
		whenGone: (device, signal, call) => {
			let cancel = (): void => {};
			const leave = (): void => {
				cancel();
				listeners.delete(look);
			};
			const look = (): void =>
				void admit(device).then(
					caller => {
						if (caller !== undefined || signal.aborted) return;
						leave();
						call();
					},
					// A failed read is repeated at the next check.
					() => {},
				);
			const beat = (): void => {
				look();
				cancel = clock.after(minute, beat);
			};
			if (signal.aborted) return;
			signal.addEventListener('abort', leave, {once: true});
			listeners.add(look);
			beat();
		},
		follow: async signal => {
			await files.makeFolder(folder, {mode: 0o700});
			files.watch(folder, signal, tellAll);
		},
	};
};

const isDeviceId = (text: string): boolean => /^[\da-f]{12}$/.test(text);

type Kept = Arrival & {readonly device: string; readonly loggedInAt: number; readonly usedAt: number};

/** The latest time that `Date` supports, in milliseconds. */
const latestTime = 8.64e15;

/** Undefined for an incomplete file. Its device has to log in again. */
const readKept = (device: string, text = ''): Kept | undefined => {
	const {name, agent, scope, by, loggedInAt} = parseObject(text) ?? {};
	if (typeof name !== 'string' || typeof agent !== 'string') return undefined;
	if (typeof loggedInAt !== 'number' || !(Math.abs(loggedInAt) <= latestTime)) return undefined;
	if ((scope !== 'act' && scope !== 'read') || (by !== 'link' && by !== 'token')) return undefined;
	return {device, name, agent, scope, by, loggedInAt, usedAt: loggedInAt};
};

const shownOf = ({device, name, agent, scope, loggedInAt, usedAt}: Kept): Device => ({
	...{device, name, agent, scope},
	loggedInAt: new Date(loggedInAt).toISOString(),
	lastUsedAt: new Date(usedAt).toISOString(),
});
