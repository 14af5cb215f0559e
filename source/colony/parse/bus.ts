import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import type {BusCredentials} from '../../ports/bus-access.ts';
import {addressHint, parseServers} from '../bus-servers.ts';
import {fields, type Reader, scalarOf, text} from './reader.ts';

/** `bus` of `config.yaml`, as written. */
export type BusFile = BusCredentials & {
	/** A readable address of servers. It may contain a user and a password, or a token. */
	readonly url?: string;
	/** While the log is embedded: the servers that the other settings are for, as `url` had them. */
	readonly lastUrl?: string;
};

/**
 * Reads `bus` of a `config.yaml`. Paths in it are absolute, begin with `~/`, or are relative to the file's
 * folder.
 * @param folder absolute, of the file
 */
export const readBus = (folder: string): Reader<BusFile> => {
	const file = scalarOf('a path', ({value}) =>
		typeof value === 'string' && value !== '' ? absolute(folder, value) : undefined,
	);
	const busFields = fields({
		...{
			url: address,
			last_url: address,
			user: text,
			password: text,
			token: text,
			nkey_file: file,
			credentials_file: file,
		},
		tls: fields({ca_file: file, cert_file: file, key_file: file}),
	});
	return (tree, notes) => {
		const read = busFields(tree, notes);
		if (read === undefined) return undefined;
		const {url, last_url: lastUrl, user, password, token} = read;
		const {nkey_file: nkeyFile, credentials_file: credentialsFile} = read;
		const {ca_file: ca, cert_file: cert, key_file: key} = read.tls ?? {};
		const ways = [user || password, token, nkeyFile, credentialsFile, hasLogin(url)].filter(Boolean);
		if (ways.length > 1)
			notes.problem(
				tree.line,
				'there is more than one way to log in',
				'Keep one: user and password, token, nkey_file, credentials_file, or what is before "@" in url.',
			);
		if (ways.length > 0 && tree.type === 'map' && !tree.entries.has('url') && !lastUrl)
			notes.problem(tree.line, '"url" is missing: a login is only for the servers that "url" names');
		if (password && !user) notes.problem(tree.line, 'there is a password without a user');
		if ((cert === undefined) !== (key === undefined))
			notes.problem(tree.line, 'only one of cert_file and key_file is set', 'Name both, or none.');
		const tls = ca || cert || key ? filled({ca, cert, key}) : undefined;
		return filled({url, lastUrl, user, password, token, nkeyFile, credentialsFile, tls});
	};
};

/** Drops the empty values. */
const filled = <Fields extends object>(values: Fields): Filled<Fields> =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Filled<Fields>;

type Filled<Fields> = {readonly [Name in keyof Fields]?: NonNullable<Fields[Name]>};

const absolute = (folder: string, path: string): string => {
	if (path.startsWith('~/')) return join(homedir(), path.slice(2));
	return isAbsolute(path) ? path : join(folder, path);
};

const address: Reader<string> = (tree, notes) => {
	const url = text(tree, notes);
	if (url === undefined || url === '') return url;
	const read = parseServers(url);
	return read.ok ? url : notes.problem(tree.line, read.problem, addressHint);
};

const hasLogin = (url = ''): boolean => {
	const read = parseServers(url);
	return read.ok && read.login !== undefined;
};
