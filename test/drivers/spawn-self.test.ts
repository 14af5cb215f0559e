import {expect, it} from 'vitest';
import {spawnSelf} from '../../source/drivers/spawn-self.ts';

it('a hive process that cannot be started counts as ended, with the reason', async () => {
	const {pid, ended, end} = spawnSelf(['run'], {cwd: '/no/such/folder', env: {}});
	expect(pid).toBeUndefined();
	expect(await ended).toEqual({stderr: expect.stringContaining('ENOENT')});
	await end();
});
