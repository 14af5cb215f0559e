import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {browserName} from '../../source/console/agent-name.ts';
import {openDevices} from '../../source/console/devices.ts';
import {deviceIdleDays} from '../../source/domain/device.ts';
import {createFiles} from '../../source/drivers/files.ts';

const hour = 3_600_000;
const day = 24 * hour;
const phone = {name: 'phone', agent: 'Firefox on Android', scope: 'act', by: 'link'} as const;
const wall = {name: 'token', agent: 'curl/8.5.0', scope: 'read', by: 'token'} as const;

/** Opens a device store in a folder of its own, with a clock that the test moves. */
const openStore = async () => {
	const parent = await mkdtemp(join(tmpdir(), 'hive-devices-'));
	onTestFinished(() => rm(parent, {recursive: true, maxRetries: 5, retryDelay: 100}));
	const folder = join(parent, 'devices');
	let now = Date.parse('2026-03-01T12:00:00Z');
	const due = new Set<() => void>();
	const clock = {
		now: () => now,
		elapsed: () => now,
		after: (_: number, call: () => void) => {
			due.add(call);
			return () => void due.delete(call);
		},
	};
	const files = createFiles();
	return {
		folder,
		open: (given: Partial<typeof files> = {}) => openDevices({files: {...files, ...given}, clock, folder}),
		files,
		devices: openDevices({files, clock, folder}),
		pass: (milliseconds: number) => {
			now += milliseconds;
		},
		/** Fires the timers that are due. */
		ring: () => {
			const calls = [...due];
			due.clear();
			for (const call of calls) call();
		},
		due,
	};
};

it('every process knows a device until it was unused for the idle limit', async () => {
	const {devices, open, pass} = await openStore();
	const [used, left] = [await devices.add(phone), await devices.add(phone)];
	pass((deviceIdleDays - 1) * day);
	expect(await devices.admit(used)).toEqual({scope: 'act', label: 'phone', device: used});
	pass(2 * day);
	expect(await open().admit(used)).toMatchObject({device: used});
	expect(await open().admit(left)).toBeUndefined();
	expect(await devices.list()).toMatchObject([{device: used}]);
	expect(await devices.revoke(left)).toMatchObject({refusal: {code: 'device_not_found'}});
	expect(await devices.revoke(used)).toMatchObject({value: {device: used, name: 'phone'}});
	expect(await open().admit(used)).toBeUndefined();
	expect(await devices.list()).toEqual([]);
});

it('the last use of a device is written at most hourly, in files that only this user can read', async () => {
	const {devices, folder, pass} = await openStore();
	const device = await devices.add(phone);
	for (let minute = 0; minute < 59; minute++) {
		await devices.admit(device);
		pass(60_000);
	}
	expect(await readdir(folder)).toEqual([device]);
	pass(60_000);
	await devices.admit(device);
	expect(await devices.list()).toMatchObject([
		{loggedInAt: '2026-03-01T12:00:00.000Z', lastUsedAt: '2026-03-01T13:00:00.000Z'},
	]);
	const modes = [];
	for (const name of ['', ...(await readdir(folder))])
		modes.push((await stat(join(folder, name))).mode & 0o777);
	expect(modes).toEqual([0o700, 0o600, 0o600]);
});

it('a device survives a small step back of the clock, and expires after a clock far ahead is corrected', async () => {
	const {devices, pass} = await openStore();
	const device = await devices.add(phone);
	pass(-2 * hour);
	expect(await devices.admit(device)).toBeDefined();
	pass(4 * 365 * day);
	const ahead = await devices.add(phone);
	pass(-4 * 365 * day);
	expect(await devices.admit(ahead)).toBeUndefined();
});

it('a late note of a use does not restore a revoked device', async () => {
	const {devices, folder} = await openStore();
	const device = await devices.add(phone);
	await devices.revoke(device);
	await writeFile(join(folder, `${device}.used`), `${Date.parse('2026-03-01T12:00:00Z')}\n`);
	expect(await devices.admit(device)).toBeUndefined();
	expect(await devices.list()).toEqual([]);
	const next = await devices.add(phone);
	expect(await readdir(folder)).toEqual([next]);
});

it('a torn device file is skipped, and other files are read', async () => {
	const {devices, folder} = await openStore();
	const [torn, whole, unused] = [
		await devices.add(phone),
		await devices.add(phone),
		await devices.add(phone),
	];
	const text = await readFile(join(folder, torn), 'utf8');
	const endless = text.replace(/"loggedInAt":\d+/, '"loggedInAt":1e300');
	for (const part of [
		text.slice(0, 20),
		'',
		'null',
		'{"scope":"act"}',
		text.replace('"act"', '"all"'),
		endless,
	]) {
		await writeFile(join(folder, torn), part);
		expect([part, await devices.admit(torn)]).toEqual([part, undefined]);
	}
	await writeFile(join(folder, `${unused}.used`), '');
	expect(await devices.admit(unused)).toBeDefined();
	expect((await devices.list()).map(({device}) => device).toSorted()).toEqual([whole, unused].toSorted());
});

it("a device id cannot name a file outside the store's folder", async () => {
	const {devices, folder} = await openStore();
	const device = await devices.add(phone);
	await writeFile(join(folder, '../3f9c0a71d2b4'), await readFile(join(folder, device)));
	for (const odd of ['../3f9c0a71d2b4', '..', '', `${device}.used`, `./${device}`, device.toUpperCase()]) {
		if (odd === device) continue;
		expect([odd, await devices.admit(odd)]).toEqual([odd, undefined]);
		expect([odd, (await devices.revoke(odd)).ok]).toEqual([odd, false]);
	}
	expect(await devices.admit(device)).toBeDefined();
});

it('each token has a maximum of devices, and its devices displace no device of another', async () => {
	const {devices, pass} = await openStore();
	const [own, oldest] = [await devices.add(phone), await devices.add(wall)];
	const act = await devices.add({...wall, scope: 'act'});
	for (let count = 0; count < 40; count++) {
		pass(1000);
		await devices.add(wall);
	}
	const known = await devices.list();
	expect(known.filter(({scope}) => scope === 'read')).toHaveLength(32);
	expect(known.map(({device}) => device)).toEqual(expect.arrayContaining([own, act]));
	expect(await devices.admit(oldest)).toBeUndefined();
});

it('a revocation is reported at once in every process, and within a minute without a file watch', async () => {
	const {devices, open, folder, ring, due} = await openStore();
	const over = new AbortController();
	onTestFinished(() => over.abort());
	const gone: string[] = [];
	const hear = (store: typeof devices, device: string, name: string) =>
		store.onInvalid(device, over.signal, () => gone.push(name));
	const watching = open();
	const device = await devices.add(phone);
	await watching.follow(over.signal);
	hear(devices, device, 'here');
	hear(watching, device, 'elsewhere');
	await devices.revoke(device);
	await expect.poll(() => gone.toSorted()).toEqual(['elsewhere', 'here']);
	const other = await devices.add(phone);
	hear(open(), other, 'unwatched');
	await rm(join(folder, other));
	await expect
		.poll(() => {
			ring();
			return gone.length;
		})
		.toBe(3);
	expect(due.size).toBe(0);
	// The device was revoked after its request was accepted and before its stream began.
	hear(devices, other, 'before');
	await expect.poll(() => gone.length).toBe(4);
});

it.each([
	['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
		'Edge on Windows',
	],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1',
		'Safari on iPhone',
	],
	[
		'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
		'Chrome on Android',
	],
	['curl/8.5.0', 'curl/8.5.0'],
	[undefined, ''],
	['\u001b]0;pwned\u0007\u001b[31mred\u009b2J\r\nX: y\u202e\u200bzz', 'red X: y<U+202E><U+200B>zz'],
	['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
	['🐝'.repeat(500), '🐝'.repeat(60)],
])('the browser %j has a readable name', (userAgent, name) => {
	expect(browserName(userAgent)).toBe(name);
});

it('a login keeps the device that another process adds concurrently', async () => {
	const {devices, open, files} = await openStore();
	await devices.add(phone);
	let other = '';
	const slow = open({
		read: async path => {
			other ||= await devices.add(phone);
			return files.read(path);
		},
	});
	const own = await slow.add(phone);
	expect(await devices.admit(other)).toMatchObject({device: other});
	expect(await devices.admit(own)).toMatchObject({device: own});
});
