import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {type Device, deviceIdleDays} from '../domain/device.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {parseObject} from '../domain/json.ts';
import type {Host} from '../host/host.ts';
import type {Caller} from './caller.ts';

/** Milliseconds. */
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const idleLimitMs = deviceIdleDays * 24 * hourMs;

/**
 * Max devices per token. A token may log in any number of devices, so the least recently used ones are
 * removed.
 */
const maxDevicesByToken = 32;

/** A browser that logs in. */
type NewDevice = Pick<Device, 'name' | 'agent' | 'scope'> & {readonly by: 'link' | 'token'};

/**
 * The browsers that are logged in. Each has a file, so that two processes never overwrite each other. A
 * second file has the time of the last use, so that writing it late cannot bring back a revoked device.
 */
export type Devices = {
	/** Adds a device and returns its id. */
	readonly add: (newDevice: NewDevice) => Promise<string>;
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
	readonly onInvalid: (device: string, signal: AbortSignal, call: () => void) => void;
	/** Watches for devices that other processes revoke, until the signal aborts. */
	readonly follow: (signal: AbortSignal) => Promise<void>;
};

type Parts = Pick<Awaited<ReturnType<Host['open']>>, 'files' | 'clock'> & {readonly folder: string};

const ownerOnly = {mode: 0o600};

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
	const find = async (device: string): Promise<StoredDevice | undefined> => {
		if (!isDeviceId(device)) return undefined;
		const stored = parseDevice(device, await files.read(pathOf(device)));
		if (stored === undefined) return undefined;
		const used = Number.parseInt((await files.read(lastUsePath(device))) ?? '', 10);
		return Number.isNaN(used) ? stored : {...stored, usedAt: used};
	};
	/** After the clock was set back, last uses lie in the future. Far future ones count as idle too. */
	const isIdle = ({usedAt}: StoredDevice): boolean => Math.abs(clock.now() - usedAt) > idleLimitMs;
	const findAll = async (names: readonly string[]): Promise<readonly StoredDevice[]> => {
		const all: StoredDevice[] = [];
		for (const name of names) {
			const stored = await find(name);
			if (stored !== undefined) all.push(stored);
		}
		return all.sort((one, other) => other.usedAt - one.usedAt);
	};
	/** Makes room for a new device: removes invalid ones, and the least recently used ones above the limit. */
	const removeStale = async ({by, scope}: NewDevice): Promise<void> => {
		// One listing for all: a device that another process adds meanwhile is not in it, and is kept.
		const names = await files.list(folder);
		const all = (await findAll(names)).filter(stored => !isIdle(stored));
		const sameOrigin = all.filter(stored => by === 'token' && stored.by === by && stored.scope === scope);
		const removed = sameOrigin.slice(maxDevicesByToken - 1);
		const keptIds = new Set(all.filter(stored => !removed.includes(stored)).map(({device}) => device));
		for (const name of names) {
			const device = name.replace(/\.used$/, '');
			if (isDeviceId(device) && !keptIds.has(device)) await files.remove(join(folder, name));
		}
	};
	const admit = async (device: string): Promise<Caller | undefined> => {
		const stored = await find(device);
		if (stored === undefined || isIdle(stored)) return undefined;
		const now = clock.now();
		// A failed write, such as on a full disk, must not lock a device out.
		if (Math.abs(now - stored.usedAt) >= hourMs)
			await files.write(lastUsePath(device), `${now}\n`, ownerOnly).catch(() => {});
		return {scope: stored.scope, label: stored.name, device};
	};
	const notifyAll = (): void => {
		for (const check of [...listeners]) check();
	};
	return {
		add: async newDevice => {
			await files.makeFolder(folder, {mode: 0o700});
			await removeStale(newDevice);
			const device = randomBytes(6).toString('hex');
			const {name, agent, scope, by} = newDevice;
			await files.write(
				pathOf(device),
				`${JSON.stringify({name, agent, scope, by, loggedInAt: clock.now()})}\n`,
				ownerOnly,
			);
			notifyAll();
			return device;
		},
		admit,
		list: async () =>
			(await findAll(await files.list(folder))).filter(stored => !isIdle(stored)).map(deviceView),
		revoke: async device => {
			const stored = await find(device);
			if (stored === undefined || isIdle(stored))
				return refuse('device_not_found', {message: `There is no device ${JSON.stringify(device)}.`});
			await remove(device);
			notifyAll();
			return accepted(deviceView(stored));
		},
		revokeAll: async () => {
			// The folder is kept, since other processes watch it.
			for (const name of await files.list(folder)) await files.remove(join(folder, name));
			notifyAll();
		},
		onInvalid: (device, signal, call) => {
			let cancel = (): void => {};
			const leave = (): void => {
				cancel();
				listeners.delete(check);
			};
			const check = (): void =>
				void admit(device).then(
					caller => {
						if (caller !== undefined || signal.aborted) return;
						leave();
						call();
					},
					// A failed read is repeated at the next check.
					() => {},
				);
			const checkRepeatedly = (): void => {
				check();
				cancel = clock.after(minuteMs, checkRepeatedly);
			};
			if (signal.aborted) return;
			signal.addEventListener('abort', leave, {once: true});
			listeners.add(check);
			checkRepeatedly();
		},
		follow: async signal => {
			await files.makeFolder(folder, {mode: 0o700});
			files.watch(folder, signal, notifyAll);
		},
	};
};

const isDeviceId = (text: string): boolean => /^[\da-f]{12}$/.test(text);

type StoredDevice = NewDevice & {
	readonly device: string;
	readonly loggedInAt: number;
	readonly usedAt: number;
};

/** The latest time that `Date` supports, in milliseconds. */
const latestTime = 8.64e15;

/** Undefined for an incomplete file. Its device has to log in again. */
const parseDevice = (device: string, text = ''): StoredDevice | undefined => {
	const {name, agent, scope, by, loggedInAt} = parseObject(text) ?? {};
	if (typeof name !== 'string' || typeof agent !== 'string') return undefined;
	if (typeof loggedInAt !== 'number' || !(Math.abs(loggedInAt) <= latestTime)) return undefined;
	if ((scope !== 'act' && scope !== 'read') || (by !== 'link' && by !== 'token')) return undefined;
	return {device, name, agent, scope, by, loggedInAt, usedAt: loggedInAt};
};

const deviceView = ({device, name, agent, scope, loggedInAt, usedAt}: StoredDevice): Device => ({
	...{device, name, agent, scope},
	loggedInAt: new Date(loggedInAt).toISOString(),
	lastUsedAt: new Date(usedAt).toISOString(),
});
