import {accepted, type Outcome} from '../domain/errors.ts';
import type {BusAccess} from '../ports/bus-access.ts';
import {addressHint, type BusLogin, parseServers} from './bus-servers.ts';
import type {BusFile} from './parse/bus.ts';
import type {MachineFile} from './parse/machine.ts';
import {refuseConfig} from './refuse-config.ts';

/** How the bus of a colony is reached. */
export type BusSettings = BusAccess;

/** The name of a bus in messages: its address without credentials, or `embedded`. */
export const busName = (bus: BusSettings | undefined): string => bus?.shown ?? 'embedded';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bus of a colony, by `HIVE_BUS_URL`, else by `bus` of `config.yaml`; nothing where neither names one.
 * What `config.yaml` has beside its url is for the servers named there: for others that the environment
 * names, only its `ca` counts, and that for `tls://` alone. A login in the address of the environment takes
 * the place of the file's. Refuses an address that cannot be read with `invalid_config`.
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
	const written = parseServers(own.url ?? '');
	const areOwn = written.ok && servers.every(server => written.servers.includes(server));
	return accepted({
		servers,
		...(areOwn
			? {...(login ?? loginOf(own, written.login)), ...tlsOf(own)}
			: {...login, ...caOf(own, servers)}),
		shown: servers.map(server => server.replace(/^\w+:\/\//, '')).join(', '),
	});
};

/** What of a bus is secret and stands in its settings themselves, in no file of its own. */
export const secretsOfBus = ({password, token}: Pick<BusSettings, 'password' | 'token'>): string[] =>
	[password, token].flatMap(secret => secret ?? []);

const loginOf = ({url, tls, ...own}: BusFile, login: BusLogin | undefined) => login ?? own;

const tlsOf = ({tls}: BusFile): Pick<BusSettings, 'tls'> => (tls === undefined ? {} : {tls});

const caOf = ({tls}: BusFile, servers: readonly string[]): Pick<BusSettings, 'tls'> =>
	tls?.ca !== undefined && servers.every(server => server.startsWith('tls:')) ? {tls: {ca: tls.ca}} : {};
