import fc from 'fast-check';
import {expect, it} from 'vitest';
import {streamEvents} from '../../source/console/stream.ts';
import {openStreams} from './open-streams.ts';

type Streams = ReturnType<typeof openStreams>;

/** Creates a client that continues after the last received id, as browsers do. */
const createClient = ({world}: Streams) => {
	let last = 0;
	const seen: number[] = [];
	return {
		seen,
		/** Reads this many chunks, or until the event of that id, and then disconnects. */
		read: async ({pieces = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY}) => {
			const over = new AbortController();
			const reader = streamEvents(world, last, over).getReader();
			const decoder = new TextDecoder();
			let rest = '';
			for (let piece = 0; piece < pieces && last < until; piece++) {
				const next = await reader.read();
				if (next.done) break;
				const messages = (rest + decoder.decode(next.value, {stream: true})).split('\n\n');
				rest = messages.pop() ?? '';
				for (const message of messages) {
					const [, id] = /^id: (\d+)$/m.exec(message) ?? [];
					if (id === undefined) continue;
					last = Number(id);
					if (!message.includes('event: open')) seen.push(last);
				}
			}
			await reader.cancel();
			expect(over.signal.aborted).toBe(true);
		},
	};
};

it('a stream client receives every event once and in order, however often it is disconnected', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(fc.nat(20), fc.nat(4)), {maxLength: 40}), async cuts => {
			const streams = openStreams();
			const client = createClient(streams);
			for (const [events, pieces] of cuts) {
				const saying = (async () => {
					for (let event = 0; event < events; event++) await streams.say();
				})();
				if (pieces > 0) await client.read({pieces: Math.min(pieces, 2)});
				await saying;
			}
			await streams.say();
			await client.read({until: streams.position()});
			expect(client.seen).toEqual(Array.from({length: streams.position()}, (_, index) => index + 1));
			expect(streams.listeners.size).toBe(0);
		}),
		{numRuns: 60},
	);
});

it('a message contains no characters that could split an event', async () => {
	const streams = openStreams();
	await streams.say('a\r\n\r\nid: 99\nevent: status\ndata: {}\n\n\u2028');
	const client = createClient(streams);
	await client.read({until: 1});
	expect(client.seen).toEqual([1]);
});

it('a stream starts at the present for a client whose last id is beyond this log', async () => {
	const streams = openStreams();
	await streams.say();
	const over = new AbortController();
	const reader = streamEvents(streams.world, 99, over).getReader();
	const first = await reader.read();
	expect(new TextDecoder().decode(first.value)).toMatch(/^retry: 1000\nid: 1\nevent: open\n/);
	await reader.cancel();
});

it('a stream drops a client that does not read, and blocks no other client', async () => {
	const streams = openStreams();
	const over = new AbortController();
	const slow = streamEvents(streams.world, 0, over);
	const quick = createClient(streams);
	for (let event = 0; event < 50; event++) await streams.say('x'.repeat(8000));
	await quick.read({until: 50});
	expect(quick.seen).toHaveLength(50);
	expect(over.signal.aborted).toBe(false);
	streams.passTime();
	expect(over.signal.aborted).toBe(true);
	await expect.poll(() => streams.listeners.size).toBe(0);
	await slow.cancel();
});
