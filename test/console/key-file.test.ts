import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {openKeyFile} from '../../source/console/key-file.ts';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createColony} from '../helpers/colony-on-disk.ts';
import {openRig} from './rig.ts';

it('the key file keeps links until they expire, whether opened or not, and no longer', async () => {
	const {host, context} = await openRig(await createColony());
	let later = 0;
	const clock = {...context.clock, now: () => context.clock.now() + later};
	const keyFile = expectAccepted(
		await openKeyFile({...host, open: async () => ({...context, colony: context.colony, clock})}),
	);
	const kept = async () => readdir(join(await host.machineFolder(), 'console', 'links'));
	const caller = {scope: 'read', label: 'phone'} as const;
	const [opened, left] = [await keyFile.makeCode(caller), await keyFile.makeCode(caller)];
	expect(await keyFile.redeem(opened)).toEqual(caller);
	later = 9 * 60_000;
	await keyFile.makeCode(caller);
	expect(await keyFile.redeem(opened)).toBeUndefined();
	expect(await kept()).toHaveLength(3);
	later = 11 * 60_000;
	expect(await keyFile.redeem(left)).toBeUndefined();
	await keyFile.makeCode(caller);
	expect(await kept()).toHaveLength(1);
});
