import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {userInfo} from 'node:os';
import {promisify} from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Which log-out of the person ends a process: that of its login session, or the last one, when their service
 * manager goes.
 */
export type EndingLogOut = 'own' | 'last';

/** What systemd is asked, and by whom. */
export type LoginFacts = {
	/** `/proc/self/cgroup`. */
	readonly cgroup: string;
	readonly user: string;
	/** What `loginctl show-user` prints with these arguments; nothing where there is none that answers. */
	readonly show: (args: readonly string[]) => Promise<string | undefined>;
};

export const loginFacts = (env: Environment): LoginFacts => ({
	cgroup: readOwnCgroup(),
	user: nameOfUser(),
	show: async args => {
		try {
			const settings = {env: {...env, LC_ALL: 'C'}, timeout: longestAnswer};
			return (await promisify(execFile)('loginctl', ['show-user', ...args], settings)).stdout;
		} catch {
			return undefined;
		}
	},
});

/** Milliseconds for an answer that usually takes five. */
const longestAnswer = 1000;

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

/** Which log-out ends this process; nothing where none does, or systemd does not say so. */
export const endingLogOut = async (facts: LoginFacts): Promise<EndingLogOut | undefined> => {
	switch (placeIn(facts.cgroup)) {
		case 'system':
			return undefined;
		case 'manager':
			return (await lingers(facts)) === false ? 'last' : undefined;
		default:
			return (await endsSessions(facts)) ? 'own' : undefined;
	}
};

/**
 * Where a process is: in a login session, below the person's own service manager, or below that of the
 * system. A container hides it.
 */
const placeIn = (cgroup: string): 'session' | 'manager' | 'system' | undefined => {
	const path = /^(?:0:|\d+:name=systemd):(.+)$/m;
	const paths = cgroup.split('\n').flatMap(line => path.exec(line)?.[1] ?? []);
	const isIn = (unit: RegExp): boolean => paths.some(one => unit.test(one));
	if (isIn(/\/user@\d+\.service(\/|$)/)) return 'manager';
	if (isIn(/\/session-[^/]+\.scope(\/|$)/)) return 'session';
	return isIn(/^\/(system|machine)\.slice\//) ? 'system' : undefined;
};

/** Whether the person's service manager stays when they have logged out. */
const lingers = async ({show, user}: LoginFacts): Promise<boolean | undefined> => {
	const {Linger} = propertiesOf(await show([user, '--property=Linger']));
	return Linger === undefined ? undefined : Linger === 'yes';
};

/**
 * Whether logind ends all processes of a session of this user with it: `KillUserProcesses` and its lists, as
 * logind.conf(5) has them.
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
