import {accepted, type Outcome} from '../domain/errors.ts';
import type {BusAccess} from '../ports/bus-access.ts';
import {addressHint, type BusLogin, parseServers} from './bus-servers.ts';
import type {BusFile} from './parse/bus.ts';
import type {MachineFile} from './parse/machine.ts';
import {refuseConfig} from './refuse-config.ts';

/** How to reach the bus of a colony. */
export type BusSettings = BusAccess;

/** The name of a bus in messages: its address without credentials, or `embedded`. */
export const busName = (bus: BusSettings | undefined): string => bus?.shown ?? 'embedded';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bus of a colony: `HIVE_BUS_URL`, else `bus` of `config.yaml`. Undefined if neither is set. The other
 * settings in `config.yaml` apply to its own servers. For other servers in the environment only its `ca`
 * applies, and only with `tls://`. A login in the environment's address replaces the file's. An unreadable
 * address is refused with `invalid_config`.
 */
export const busSettings = (
	env: Environment,
	machine: Pick<MachineFile, 'bus'> | undefined,
): Outcome<BusSettings | undefined> => {
	const own = machine?.bus ?? {};
	const address = env.HIVE_BUS_URL || own.url;
	if (!address) return accepted(undefined);
	const named = parseServers(address);
	if (!named.ok) {
		const path = env.HIVE_BUS_URL ? 'HIVE_BUS_URL' : 'bus.url of config.yaml';
		return refuseConfig([{path, message: named.problem, hint: addressHint}]);
	}
	const {servers, login} = named;
	return accepted({
		servers,
		...(areServersOf(own, servers)
			? {...(login ?? loginOf(own)), ...tlsOf(own)}
			: {...login, ...caOf(own, servers)}),
		shown: servers.map(server => server.replace(/^\w+:\/\//, '')).join(', '),
	});
};

/** True if the login and the certificates in `config.yaml` are for these servers. */
export const areServersOf = (own: BusFile, servers: readonly string[]): boolean => {
	const written = parseServers(own.url || own.lastUrl || '');
	return written.ok && servers.every(server => written.servers.includes(server));
};

/** The secrets that are part of the bus settings themselves, not of a separate file. */
export const secretsOfBus = ({password, token}: Pick<BusSettings, 'password' | 'token'>): string[] =>
	[password, token].flatMap(secret => secret ?? []);

const loginOf = ({url, lastUrl, tls, ...own}: BusFile): BusLogin | typeof own => {
	const written = parseServers(url || lastUrl || '');
	return (written.ok ? written.login : undefined) ?? own;
};

const tlsOf = ({tls}: BusFile): Pick<BusSettings, 'tls'> => (tls === undefined ? {} : {tls});

const caOf = ({tls}: BusFile, servers: readonly string[]): Pick<BusSettings, 'tls'> =>
	tls?.ca !== undefined && servers.every(server => server.startsWith('tls:')) ? {tls: {ca: tls.ca}} : {};
