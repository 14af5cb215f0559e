import {deviceIdleDays} from '../../domain/device.ts';
import {accepted} from '../../domain/errors.ts';
import {localMoment} from '../../host/views/local-time.ts';
import {command} from '../command.ts';
import {text} from '../flags.ts';
import {renderTable} from '../render-table.ts';

export const consoleDevices = command({
	path: 'console devices',
	summary: 'List the browsers that are logged in to the console.',
	description: `They are those of this machine's consoles of this checkout; a console on another machine has its own. A device that was unused for ${deviceIdleDays} days has to log in again. LAST USED is written once an hour at most. AGENT is what the browser says that it is.`,
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
					? 'No device is logged in. "hive console link" makes one known.'
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
		'A running console knows at once: it answers the device nothing more, and ends its streams. What the device had already asked for is still done. To come back it needs another link. "hive console token --new" ends all devices, and the tokens.',
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
			text: `Revoked ${name} (${device}). It is logged out, and needs another link to come back.`,
		});
	},
});
