import {connect} from 'node:net';
import {expect, it, onTestFinished} from 'vitest';
import {createApp} from '../../source/console/app.ts';
import {openDevices} from '../../source/console/devices.ts';
import {keysOf} from '../../source/console/keys.ts';
import {listen} from '../../source/console/listen.ts';
import {accepted, expectAccepted} from '../../source/domain/errors.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {openStreams} from './open-streams.ts';

const secret = 's'.repeat(43);

/** Starts a console on a socket, with a clock that the test moves. */
const serve = async () => {
	const streams = openStreams();
	const over = new AbortController();
	// The readers send a token.
	const devices = openDevices({files: createFiles(), clock: streams.world.context.clock, folder: '/nowhere'});
	const app = createApp({
		world: streams.world,
		keyFile: {keys: async () => accepted(keysOf(secret)), redeem: async () => undefined, devices},
		runtime: {start: async () => accepted({}), stop: async () => accepted({})},
		names: {isLoopback: true, origins: []},
		cookieName: 'hive-test',
		page: {},
		version: '0.0.0',
		streamsEnd: () => over.signal,
	});
	const server = expectAccepted(await listen(app.fetch, {host: '127.0.0.1', port: 0}));
	onTestFinished(async () => {
		over.abort();
		await server.close();
	});
	return {...streams, port: server.port};
};

const cuts = Number(process.env.HIVE_DISCONNECTS ?? 200);

type Reading = {
	readonly until: () => number | undefined;
	readonly onCut?: () => void;
};

/**
 * Reads a random number of chunks, disconnects inside one, and continues after the last whole message.
 */
const readCut = async (port: number, {until, onCut}: Reading) => {
	const seen: number[] = [];
	let last = 0;
	let times = 0;
	const isOver = (): boolean => last === until();
	while (!isOver()) {
		times += 1;
		const cut = new AbortController();
		const headers = {authorization: `Bearer ${secret}`, 'last-event-id': String(last)};
		const answer = await fetch(`http://127.0.0.1:${port}/api/stream`, {headers, signal: cut.signal});
		let pieces = Math.ceil(Math.random() * 3);
		let rest = '';
		for await (const piece of answer.body ?? []) {
			const messages = (rest + Buffer.from(piece).toString()).split('\n\n');
			rest = messages.pop() ?? '';
			for (const message of messages) {
				const id = Number(/^id: (\d+)$/m.exec(message)?.[1] ?? last);
				if (!message.includes('event:') && id !== last) seen.push(id);
				last = id;
			}
			pieces -= 1;
			if (isOver() || pieces <= 0) break;
		}
		cut.abort();
		onCut?.();
	}
	return {seen, times};
};

it(`a stream client misses and repeats no event over ${cuts} disconnects while events arrive`, async () => {
	const {port, say, position} = await serve();
	let done: number | undefined;
	let cut = 0;
	const reading = readCut(port, {
		until: () => done,
		onCut: () => {
			cut += 1;
		},
	});
	for (let event = 0; cut < cuts - 1; event++) {
		await say('x'.repeat(Math.ceil(Math.random() * 3000)));
		if (event % 4 === 0) await new Promise(setImmediate);
	}
	// A reader that has everything waits for one more event.
	done = position() + 1;
	await say();
	const {seen, times} = await reading;
	expect(times).toBeGreaterThanOrEqual(cuts);
	expect(seen).toEqual(Array.from({length: done}, (_, index) => index + 1));
});

it('a stream client that does not read is disconnected, and other clients continue', async () => {
	const {port, say, position, passTime, listeners} = await serve();
	const socket = connect(port, '127.0.0.1');
	onTestFinished(() => void socket.destroy());
	const closed = new Promise(resolve => socket.on('close', resolve));
	socket.on('error', () => {});
	socket.pause();
	socket.write(
		`GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${secret}\r\nLast-Event-ID: 0\r\n\r\n`,
	);
	await expect.poll(() => listeners.size).toBe(1);
	// More bytes than the buffers of both ends hold.
	for (let event = 0; event < 300; event++) await say('x'.repeat(64 * 1024));
	const other = await readCut(port, {until: position});
	expect(other.seen).toHaveLength(300);
	await expect
		.poll(() => {
			passTime();
			return listeners.size;
		})
		.toBe(0);
	// The server has closed the connection, so the rest of the data ends.
	socket.resume();
	await closed;
});
