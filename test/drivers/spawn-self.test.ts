import {expect, it} from 'vitest';
import {spawnSelf} from '../../source/drivers/spawn-self.ts';

it('a hive that cannot be started has ended, and says why', async () => {
	const {pid, ended, end} = spawnSelf(['run'], {cwd: '/no/such/folder', env: {}});
	expect(pid).toBeUndefined();
	expect(await ended).toEqual({stderr: expect.stringContaining('ENOENT')});
	await end();
});
