import {version} from '../../package.json';
import type {Device} from '../domain/device.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Host} from '../host/host.ts';
import type {Caller} from './caller.ts';
import {openKeyFile} from './key-file.ts';
import {createLoginLink} from './link-to.ts';
import {type ConsoleOptions, type OpenConsole, openConsole} from './open-console.ts';
import type {PageFile} from './parts.ts';

/** The files of the page by path. build.mjs inserts them here. */
declare const pageFiles: Readonly<Record<string, PageFile>>;

/** The label is part of every event and of a cookie, whose size browsers limit. */
const isLabel = (label: string): boolean => /^[\p{L}\p{N} ._-]{1,40}$/u.test(label);

/** The console functions that the command line uses. */
export const consoleFace = {
	open: (host: Host, options: Omit<ConsoleOptions, 'page' | 'version'>): Promise<Outcome<OpenConsole>> =>
		openConsole(host, {...options, page: pageFiles, version}),
	link: async (host: Host, caller: Caller): Promise<Outcome<{readonly link: string}>> => {
		if (!isLabel(caller.label))
			return refuse('usage', {message: 'A name has at most 40 letters, digits, spaces, dots, - and _.'});
		const keyFile = await openKeyFile(host);
		if (!keyFile.ok) return keyFile;
		const url = await keyFile.value.address();
		if (url === undefined)
			return refuse('usage', {
				message: 'No console was started here yet.',
				hint: 'Start it with "hive console".',
			});
		return accepted({link: await createLoginLink(keyFile.value, url, caller)});
	},
	devices: async (host: Host): Promise<Outcome<readonly Device[]>> => {
		const keyFile = await openKeyFile(host);
		return keyFile.ok ? accepted(await keyFile.value.devices.list()) : keyFile;
	},
	revoke: async (host: Host, device: string): Promise<Outcome<Device>> => {
		const keyFile = await openKeyFile(host);
		return keyFile.ok ? keyFile.value.devices.revoke(device) : keyFile;
	},
	token: async (
		host: Host,
		{scope, isNew}: Pick<Caller, 'scope'> & {readonly isNew: boolean},
	): Promise<Outcome<{readonly token: string}>> => {
		const keyFile = await openKeyFile(host);
		if (!keyFile.ok) return keyFile;
		const keys = await (isNew ? keyFile.value.renew() : keyFile.value.keys());
		return keys.ok ? accepted({token: keys.value.tokens[scope]}) : keys;
	},
};
