import {once} from 'node:events';
import {mkdtemp, readdir, rename, rm, utimes, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {addressOfListener} from '../../source/drivers/private-socket/address.ts';
import {removeDeadSockets} from '../../source/drivers/private-socket/dead-sockets.ts';
import {serveLinks} from '../../source/drivers/private-socket/links.ts';

const listenOn = async (path: string): Promise<Server> => {
	const server = createServer().listen(path);
	await once(server, 'listening');
	return server;
};

/** Leaves a socket as a killed process does. */
const leaveSocket = async (path: string): Promise<void> => {
	const server = await listenOn(`${path}.own`);
	await rename(`${path}.own`, path);
	await new Promise(resolve => server.close(resolve));
};

const makeOld = (path: string) => utimes(path, 0, 0);

test('only sockets without a listener for a while are removed from a folder', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-dead-'));
	onTestFinished(() => rm(folder, {recursive: true}));
	const at = (name: string) => join(folder, name);
	for (const name of ['dead', 'just-bound']) await leaveSocket(at(name));
	const live = await listenOn(at('live'));
	onTestFinished(() => void live.close());
	await writeFile(at('file'), '');
	for (const name of ['dead', 'live', 'file']) await makeOld(at(name));
	await removeDeadSockets(folder);
	expect((await readdir(folder)).toSorted()).toEqual(['file', 'just-bound', 'live']);
	await removeDeadSockets(at('not-there'));
});

test('a listener with a too long path removes dead sockets from the stand-in folder', async () => {
	const long = (name: string) => join(tmpdir(), 'deep'.repeat(40), `${process.pid}-${name}.sock`);
	const stop = await serveLinks(long('first'), () => {});
	const left = join(dirname((await addressOfListener(long('first'))) ?? ''), `${process.pid}-left.sock`);
	await leaveSocket(left);
	await makeOld(left);
	await (await serveLinks(long('second'), () => {}))();
	expect(await readdir(dirname(left))).not.toContain(basename(left));
	await stop();
});
