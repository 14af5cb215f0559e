import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {expect, it, onTestFinished} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {startHive} from '../helpers/run-hive.ts';

type Colony = Awaited<ReturnType<typeof createColony>>;

/** Starts a console of the built command on a port of its own, and returns its client. */
const serve = async ({root, env, ask: hive}: Colony, ...args: readonly string[]) => {
	const child = startHive(['console', '--addr', '127.0.0.1:0', '--json', ...args], {cwd: root, env});
	const ended = once(child, 'exit');
	onTestFinished(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	child.stderr.resume();
	const [line] = await once(createInterface(child.stdout), 'line');
	const {url} = JSON.parse(String(line)) as {url: string};
	const {token} = (await hive(['console', 'token'])) as {token: string};
	return async (path: string, method = 'POST') => {
		const headers = {authorization: `Bearer ${token}`};
		const answer = await fetch(`${url}/api/runtime${path}`, {method, headers});
		const said = (await answer.json()) as Record<string, unknown>;
		return {...said, status: answer.status};
	};
};

it('a console stops and restarts its reactor, however often and concurrently requested', async () => {
	const colony = await createColony();
	const ask = await serve(colony);
	await expect.poll(() => ask('', 'GET')).toMatchObject({reactor: 'here', alive: true});
	expect(await ask('/stop')).toMatchObject({status: 200, reactor: 'none', alive: false});
	expect(await ask('/stop')).toMatchObject({status: 200, reactor: 'none'});
	const asked = await Promise.all(['/start', '/stop', '/start', '/start'].map(path => ask(path)));
	expect(asked.map(({status}) => status)).toEqual([200, 200, 200, 200]);
	expect(await ask('/start')).toMatchObject({status: 200, reactor: 'here', alive: true});
});

it('a console without a reactor starts none, and stops no reactor of another process', async () => {
	const colony = await createColony();
	const alone = await serve(colony, '--no-reactor');
	expect(await alone('', 'GET')).toMatchObject({reactor: 'none'});
	expect(await alone('/start')).toMatchObject({status: 409, code: 'wrong_status'});
	const keeping = await serve(colony);
	await expect.poll(() => keeping('', 'GET')).toMatchObject({reactor: 'here'});
	await expect.poll(() => alone('', 'GET')).toMatchObject({reactor: 'elsewhere'});
	expect(await alone('/start')).toMatchObject({status: 200, alive: true});
	expect(await alone('/stop')).toMatchObject({status: 409, code: 'wrong_status'});
	expect(await keeping('', 'GET')).toMatchObject({reactor: 'here'});
});
