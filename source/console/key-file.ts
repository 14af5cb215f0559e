import {createHash, randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import type {Caller} from './caller.ts';
import {type Devices, openDevices} from './devices.ts';
import {type Keys, keysOf, minSecretLength} from './keys.ts';

/** Lifetime of a link, in milliseconds. */
const linkLifeMs = 10 * 60_000;

/**
 * The state of a console that outlives its process: its secret, the unopened links, and the devices. Only
 * this user can read the files.
 */
export type KeyFile = {
	readonly keys: () => Promise<Outcome<Keys>>;
	/** The browsers that are logged in. */
	readonly devices: Devices;
	/**
	 * Makes a new secret. Every token, cookie and link of the old one is void. Refused while the environment
	 * sets the secret.
	 */
	readonly renew: () => Promise<Outcome<Keys>>;
	/** Returns a code that can be exchanged for a cookie once, with this process or another. */
	readonly makeCode: (caller: Caller) => Promise<string>;
	/** Returns the caller that the code was made for, at the first call with it only. */
	readonly redeem: (code: string) => Promise<Caller | undefined>;
	/** Calls `call` when the secret changes, until the signal aborts. */
	readonly watch: (signal: AbortSignal, call: () => void) => void;
	/** The URL of the console that was started last. Links begin with it. */
	readonly address: () => Promise<string | undefined>;
	readonly keepAddress: (address: string) => Promise<void>;
};

const secretVariable = 'HIVE_CONSOLE_TOKEN';
const ownerOnly = {mode: 0o600};

export const openKeyFile = async (
	host: Pick<Host, 'open' | 'machineFolder' | 'env'>,
): Promise<Outcome<KeyFile>> => {
	const {files, clock, insideRun} = await host.open();
	if (insideRun !== undefined)
		return refuse('not_for_agents', {message: `Run ${insideRun.agentId} may not read the console's keys.`});
	const folder = join(await host.machineFolder(), 'console');
	const paths = {
		secret: join(folder, 'token'),
		codes: join(folder, 'links'),
		address: join(folder, 'address'),
	};
	const devices = openDevices({files, clock, folder: join(folder, 'devices')});
	const configured = host.env[secretVariable] ?? '';
	const makeSecret = async (): Promise<string> => {
		await files.makeFolder(folder, {mode: 0o700});
		const secret = randomBytes(32).toString('base64url');
		await files.write(paths.secret, `${secret}\n`, ownerOnly);
		return secret;
	};
	const codePath = (code: string): string =>
		join(paths.codes, createHash('sha256').update(code).digest('hex').slice(0, 32));
	/**
	 * An opened link leaves a mark, so that it cannot be opened twice. Link and mark are removed once the link
	 * has expired.
	 */
	const removeExpiredLinks = async (): Promise<void> => {
		for (const name of await files.list(paths.codes)) {
			const path = join(paths.codes, name);
			if (((await files.writtenAt(path)) ?? 0) + linkLifeMs <= clock.now()) await files.remove(path);
		}
	};
	return accepted({
		devices,
		keys: async () => {
			const secret = configured || (await files.read(paths.secret))?.trim() || (await makeSecret());
			if (secret.length >= minSecretLength) return accepted(keysOf(secret));
			const source = configured ? secretVariable : paths.secret;
			return refuse('invalid_config', {
				message: `${source} is too short to be secure.`,
				hint: `Give it ${minSecretLength} random characters or more.`,
			});
		},
		renew: async () => {
			if (configured)
				return refuse('invalid_config', {
					message: `The token comes from ${secretVariable}.`,
					hint: 'Change it there, and start the console again.',
				});
			await files.remove(paths.codes);
			const keys = keysOf(await makeSecret());
			await devices.revokeAll();
			return accepted(keys);
		},
		makeCode: async caller => {
			const code = randomBytes(24).toString('base64url');
			await files.makeFolder(paths.codes, {mode: 0o700});
			await removeExpiredLinks();
			const until = clock.now() + linkLifeMs;
			await files.write(codePath(code), JSON.stringify({...caller, until}), ownerOnly);
			return code;
		},
		redeem: async code => {
			const path = codePath(code);
			const text = await files.read(path);
			if (text === undefined || !(await files.create(`${path}.used`, '', ownerOnly))) return undefined;
			await files.remove(path);
			const {scope, label, until} = readCode(text);
			const left = until - clock.now();
			// The upper bound keeps a link from staying valid after the clock was set far back.
			return left > 0 && left <= 2 * linkLifeMs && (scope === 'act' || scope === 'read')
				? {scope, label}
				: undefined;
		},
		watch: (signal, call) => {
			let previous: string | undefined;
			const check = async (): Promise<void> => {
				const now = await files.read(paths.secret);
				if (previous !== undefined && now !== previous) call();
				previous = now;
			};
			void check().then(() => files.watch(folder, signal, () => void check()));
		},
		address: async () => (await files.read(paths.address))?.trim(),
		keepAddress: async address => {
			await files.makeFolder(folder, {mode: 0o700});
			await files.write(paths.address, `${address}\n`, ownerOnly);
		},
	});
};

const readCode = (text: string): {scope: unknown; label: string; until: number} => {
	try {
		const {scope, label, until} = JSON.parse(text) as Record<string, unknown>;
		return {scope, label: String(label), until: Number(until)};
	} catch {
		// The file was written incompletely.
		return {scope: undefined, label: '', until: 0};
	}
};
