import {expect, test} from 'vitest';
import {endingLogOut} from '../../source/drivers/processes/log-out.ts';

const inSession = '0::/user.slice/user-1000.slice/session-3.scope\n';
const belowManager = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/hive-session-a.scope\n';

/** Returns the log-out that ends a process of `ada`, if loginctl prints these lines. */
const endingOf = (cgroup: string, printed: string | undefined) =>
	endingLogOut({cgroup, user: 'ada', show: async () => printed});

const kills = 'KillUserProcesses=yes';

test.each([
	['the system ends processes', kills, 'own'],
	['the system ends none', 'KillUserProcesses=no', undefined],
	['loginctl does not answer', undefined, undefined],
	['loginctl says something else', 'NAutoVTs=6', undefined],
	['this user is excluded', `${kills}\nKillExcludeUsers=root ada`, undefined],
	['another user is excluded', `${kills}\nKillExcludeUsers=root`, 'own'],
	['processes of others alone are ended', `${kills}\nKillOnlyUsers=bob`, undefined],
	['processes of this user alone are ended', 'KillUserProcesses=no\nKillOnlyUsers=bob ada', 'own'],
	['this user is in both lists', `${kills}\nKillOnlyUsers=ada\nKillExcludeUsers=ada`, undefined],
])('a log-out may end a process in a login session if %s: %s', async (_, printed, ending) => {
	expect(await endingOf(inSession, printed)).toBe(ending);
	// Repeat with the older hierarchies, and in a container that hides the cgroup.
	expect(
		await endingOf(`4:memory:/x\n1:name=systemd:/user.slice/user-1000.slice/session-c1.scope\n`, printed),
	).toBe(ending);
	expect(await endingOf('0::/\n', printed)).toBe(ending);
});

test.each([
	['lingers', 'Linger=yes', undefined],
	['goes with the last log-out', 'Linger=no', 'last'],
	['is not known', undefined, undefined],
])("a log-out may end a process below the user's service manager that %s", async (_, printed, ending) => {
	expect(await endingOf(belowManager, printed)).toBe(ending);
});

test('a log-out never ends a system service, and loginctl is not called', async () => {
	const show = () => Promise.reject(new Error('asked'));
	for (const cgroup of ['0::/system.slice/hive.service\n', '0::/machine.slice/libpod-1.scope\n'])
		expect(await endingLogOut({cgroup, user: 'ada', show})).toBeUndefined();
});

test('root is excluded from log-out kills unless configured otherwise', async () => {
	const endingOfRoot = (printed: string) =>
		endingLogOut({cgroup: inSession, user: 'root', show: async () => printed});
	expect(await endingOfRoot(kills)).toBeUndefined();
	expect(await endingOfRoot(`${kills}\nKillExcludeUsers=ada`)).toBe('own');
});
