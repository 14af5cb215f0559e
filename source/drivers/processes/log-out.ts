import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {userInfo} from 'node:os';
import {promisify} from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The log-out that ends a process. `own` is that of its login session. `last` is the person's last one, which
 * ends their service manager.
 */
export type EndingLogOut = 'own' | 'last';

/** Facts about this process that systemd can be asked for. */
export type LoginFacts = {
	/** `/proc/self/cgroup`. */
	readonly cgroup: string;
	readonly user: string;
	/** Returns the output of `loginctl show-user` with these arguments; undefined if it does not answer. */
	readonly show: (args: readonly string[]) => Promise<string | undefined>;
};

export const loginFacts = (env: Environment): LoginFacts => ({
	cgroup: readOwnCgroup(),
	user: nameOfUser(),
	show: async args => {
		try {
			const settings = {env: {...env, LC_ALL: 'C'}, timeout: answerTimeoutMs};
			return (await promisify(execFile)('loginctl', ['show-user', ...args], settings)).stdout;
		} catch {
			return undefined;
		}
	},
});

/** Max milliseconds for an answer that usually takes five. */
const answerTimeoutMs = 1000;

const readOwnCgroup = (): string => {
	try {
		return readFileSync('/proc/self/cgroup', 'utf8');
	} catch {
		return '';
	}
};

const nameOfUser = (): string => {
	try {
		return userInfo().username;
	} catch {
		// A user without a name has no settings by name.
		return '';
	}
};

/** Returns which log-out ends this process; undefined if none does, or if systemd does not report it. */
export const endingLogOut = async (facts: LoginFacts): Promise<EndingLogOut | undefined> => {
	switch (systemdUnitOf(facts.cgroup)) {
		case 'system':
			return undefined;
		case 'manager':
			return (await lingers(facts)) === false ? 'last' : undefined;
		default:
			return (await endsSessions(facts)) ? 'own' : undefined;
	}
};

/**
 * Returns the part of systemd that this process is in: a login session, the person's own service manager, or
 * that of the system. Undefined in a container, which hides it.
 */
const systemdUnitOf = (cgroup: string): 'session' | 'manager' | 'system' | undefined => {
	const path = /^(?:0:|\d+:name=systemd):(.+)$/m;
	const paths = cgroup.split('\n').flatMap(line => path.exec(line)?.[1] ?? []);
	const isIn = (unit: RegExp): boolean => paths.some(one => unit.test(one));
	if (isIn(/\/user@\d+\.service(\/|$)/)) return 'manager';
	if (isIn(/\/session-[^/]+\.scope(\/|$)/)) return 'session';
	return isIn(/^\/(system|machine)\.slice\//) ? 'system' : undefined;
};

/** True if the person's service manager stays after they have logged out. */
const lingers = async ({show, user}: LoginFacts): Promise<boolean | undefined> => {
	const {Linger} = propertiesOf(await show([user, '--property=Linger']));
	return Linger === undefined ? undefined : Linger === 'yes';
};

/**
 * True if logind ends all processes of a session of this user with it: `KillUserProcesses` and its lists, as
 * described in logind.conf(5).
 */
const endsSessions = async ({show, user}: LoginFacts): Promise<boolean> => {
	const {KillUserProcesses, KillOnlyUsers = '', KillExcludeUsers = 'root'} = propertiesOf(await show([]));
	const isNamedIn = (list: string): boolean => list.split(/\s+/).includes(user);
	if (KillUserProcesses === undefined || isNamedIn(KillExcludeUsers)) return false;
	return KillOnlyUsers.trim() === '' ? KillUserProcesses === 'yes' : isNamedIn(KillOnlyUsers);
};

const propertiesOf = (text = ''): Readonly<Record<string, string>> =>
	Object.fromEntries(
		text.split('\n').map(line => [/^[^=]*/.exec(line)?.[0] ?? '', line.replace(/^[^=]*=/, '')]),
	);
