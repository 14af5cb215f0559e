import {deviceIdleDays} from '../../domain/device.ts';
import {accepted} from '../../domain/errors.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const consoleDevices = command({
	path: 'console devices',
	summary: 'List the browsers that are logged in to the console.',
	description: `Lists the devices of this checkout on this machine; a console on another machine has its own. After ${deviceIdleDays} days without use a device has to log in again. LAST USED is updated at most once an hour. AGENT is the name that the browser gives.`,
	flags: {},
	examples: ['console devices', 'console devices --json'],
	json: '{v, devices: [{device, name, agent, scope, loggedInAt, lastUsedAt}]}',
	run: async (_, commandContext) => {
		const face = await commandContext.loadConsole();
		const listed = await face.devices(commandContext);
		if (!listed.ok) return listed;
		const devices = listed.value;
		const rows = devices.map(({device, name, agent, scope, loggedInAt, lastUsedAt}) => [
			...[device, name, agent, scope],
			...[localMoment(loggedInAt), localMoment(lastUsedAt)],
		]);
		return accepted({
			json: {devices},
			text: async () =>
				rows.length === 0
					? 'No device is logged in. "hive console link" prints a link that logs one in.'
					: renderTable(
							['DEVICE', 'NAME', 'AGENT', 'MAY', 'LOGGED IN', 'LAST USED'].map(title => ({title})),
							rows,
							commandContext.stdout.columns,
						),
		});
	},
});

export const consoleRevoke = command({
	path: 'console revoke',
	summary: 'Log a browser out of the console, wherever it is.',
	description:
		'A running console applies this at once: it rejects requests of the device, and ends its streams. Actions that the device already started are still carried out. To log in again it needs another link. "hive console token --new" logs out all devices, and replaces the tokens.',
	flags: {},
	arguments: {
		device: text({
			summary: 'Device, as "hive console devices" lists it.',
			hint: '<device>',
			required: true,
			complete: 'devices',
		}),
	},
	examples: ['console revoke 3f9c0a71d2b4'],
	json: '{v, device, name}',
	run: async ({device: id}, commandContext) => {
		const face = await commandContext.loadConsole();
		const revoked = await face.revoke(commandContext, id);
		if (!revoked.ok) return revoked;
		const {device, name} = revoked.value;
		return accepted({
			json: {device, name},
			text: `Revoked ${name} (${device}). It is logged out, and needs another link to log in again.`,
		});
	},
});
