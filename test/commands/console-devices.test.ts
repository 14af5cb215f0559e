import {expect, it} from 'vitest';
import {openKeyFile} from '../../source/console/key-file.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {openHost} from '../../source/wire/open-host.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {runLine} from '../helpers/run-line.ts';
import {noFaults} from '../host/host-with.ts';

it('console devices are listed, one is revoked, and shells complete their ids', async () => {
	const colony = await createColony();
	const {root: cwd, env} = colony;
	const say = async (...args: string[]) => {
		const {exitCode, stdout, stderr} = await runLine(args, {cwd, env});
		return `${exitCode} ${stdout}${stderr}`;
	};
	expect(await say('console', 'devices')).toBe(
		'0 No device is logged in. "hive console link" prints a link that logs one in.\n',
	);
	expect(await colony.ask(['console', 'devices'])).toMatchObject({devices: []});
	expect(await say('completion', '--list', 'devices')).toBe('0 ');

	const host = openHost({cwd, env, faults: noFaults});
	const {devices} = expectAccepted(await openKeyFile(host));
	await host.close();
	const device = await devices.add({name: 'phone', agent: 'Firefox on Android', scope: 'act', by: 'link'});
	const listed = (await say('console', 'devices')).split('\n').map(row => row.trimEnd().split(/ {2,}/));
	const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
	expect(listed).toEqual([
		['0 DEVICE', 'NAME', 'AGENT', 'MAY', 'LOGGED IN', 'LAST USED'],
		[device, 'phone', 'Firefox on Android', 'act', moment, moment],
		[''],
	]);
	expect(await say('completion', '--list', 'devices')).toBe(`0 ${device} phone Firefox on Android\n`);
	expect(await say('console', 'revoke', 'phone')).toBe(
		'3 hive: There is no device "phone".\nList the devices with "hive console devices".\n',
	);
	expect(await say('console', 'revoke', device)).toBe(
		`0 Revoked phone (${device}). It is logged out, and needs another link to log in again.\n`,
	);
	expect(await say('console', 'revoke', device)).toMatch(/^3 hive: There is no device/);
	expect(await colony.ask(['console', 'devices'])).toMatchObject({devices: []});
});
