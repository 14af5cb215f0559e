import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {LoginFacts} from '../../source/drivers/processes/log-out.ts';
import {startSupervisor, supervisorProgram} from '../../source/drivers/processes/supervisor.ts';
import {findExecutable} from '../../source/drivers/processes/which.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {createRig, plainEnvironment, type Rig} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const inSession = (kills: string): LoginFacts => ({
	...{cgroup: '0::/user.slice/user-1000.slice/session-3.scope\n', user: 'ada'},
	show: async () => `KillUserProcesses=${kills}\n`,
});

const asked = (): string => join(rig.folder, 'asked');

/** Like systemd-run, records its arguments and becomes the program behind `--`. */
const becomesIt = () =>
	`echo "$XDG_RUNTIME_DIR $*" >>'${asked()}'; while [ "$1" != -- ]; do shift; done; shift; exec "$@"`;

/** Starts a run that prints its parent, with this script as systemd-run, and waits for its end. */
const runWith = async (
	script: string | undefined,
	{login = inSession('yes'), ...more}: Partial<Launch> & {readonly login?: LoginFacts} = {},
) => {
	if (script !== undefined)
		writeFileSync(join(rig.folder, 'systemd-run'), `#!/bin/sh\n${script}\n`, {mode: 0o755});
	const PATH = `${rig.folder}:${plainEnvironment().PATH}`;
	const {gone} = await startSupervisor(
		{
			...{
				program: supervisorProgram,
				login,
				environment: {...plainEnvironment(), XDG_RUNTIME_DIR: '/run/ada'},
			},
			which: async name =>
				name === 'systemd-run' && script === undefined ? undefined : findExecutable(name, PATH),
		},
		rig.launchOf(['sh', '-c', 'echo $PPID'], {outlivesLogOut: true, ...more}),
		'now',
	);
	await gone;
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 0});
	return Number(rig.text('stdout.log'));
};

describe('a run that must survive a log-out', () => {
	test('has its own scope where a log-out ends all processes of a session', async () => {
		const supervisor = await runWith(becomesIt());
		expect(rig.record('started').pid).toBe(supervisor);
		expect(readFileSync(asked(), 'utf8')).toMatch(
			/^\/run\/ada --user --scope --quiet --collect --unit=hive-session-run -- \S*perl -f \S*supervisor\.pl .*\n$/,
		);
	});

	test.each([
		['fails', "echo 'Failed to connect to bus' >&2; exit 1"],
		['ends without starting it', 'exit 0'],
		['is stuck', 'exec sleep 60'],
		['is not installed', undefined],
	])('begins without a scope where systemd-run %s', async (_, script) => {
		expect(await runWith(script)).toBe(rig.record('started').pid);
	});

	test('has no scope where a log-out ends no process', async () => {
		await runWith(becomesIt(), {login: inSession('no')});
		expect(existsSync(asked())).toBe(false);
	});
});

test('a run that is no session has no scope', async () => {
	await runWith(becomesIt(), {outlivesLogOut: false});
	expect(existsSync(asked())).toBe(false);
});
