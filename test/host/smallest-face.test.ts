import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {openHost} from '../../source/wire/open-host.ts';
import {builder, createColony} from '../helpers/colony-on-disk.ts';
import {noFaults} from './host-with.ts';
import {smallestFace} from './smallest-face.ts';

it('a face of forty lines, made only of host and domain, lists the traces and merges one', async () => {
	const source = readFileSync(new URL('smallest-face.ts', import.meta.url), 'utf8');
	expect(source.split('\n').length).toBeLessThanOrEqual(40);
	const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path.split('/')[3]);
	expect(new Set(imported)).toEqual(new Set(['domain', 'host']));

	const colony = await createColony({bees: {builder}});
	await colony.ask(['task', 'create', '--title', 'Add a page', '-b', 'x']);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
	const host = openHost({cwd: colony.root, env: colony.env, faults: noFaults});
	const face = smallestFace(host);
	expect(await face.list()).toEqual(['Add a page: _review']);
	expect(await face.approve('Add a page')).toMatchObject({
		ok: true,
		value: [expect.stringMatching(/^Merged into main: [0-9a-f]{40}$/)],
	});
	expect(await face.list()).toEqual(['Add a page: nothing waits']);
	expect(await face.approve('Add a page')).toMatchObject({ok: false, refusal: {code: 'usage'}});
	await host.close();
});
