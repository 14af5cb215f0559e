import type {StoredEvent} from '../domain/event.ts';
import {frozenIn} from '../host/views/doing.ts';
import {eventSnapshot} from '../host/views/event.ts';
import type {World} from './world.ts';

/**
 * Milliseconds between comments that keep a connection open, and that a client may take to read what it was
 * sent.
 */
const beat = 15_000;
const patience = 20_000;

/** Bytes that may wait for a client before it is asked to read them. */
const owed = 64 * 1024;

const encoder = new TextEncoder();

/**
 * The log as server-sent events whose id is the sequence: each event once, in order, from behind `after`. It
 * is read from the log as far as the views have it, so whoever asks for a view on an event finds it there,
 * and nothing is kept for a client. One that does not read is dropped, and goes on with its last id when it
 * comes again.
 *
 * @param after sequence; without one, or with one that this log has not come to, it begins now
 * @param over aborted by whoever ends it: its caller, or the client that leaves
 */
export const streamEvents = (
	{context, model, colony}: Pick<World, 'context' | 'model' | 'colony'>,
	after: number | undefined,
	over: AbortController,
): ReadableStream<Uint8Array> => {
	const {clock, bus, redact = (text: string) => text} = context;
	const ends = over.signal;
	const {wake, woken, drained, wakeWriter} = createWakers();
	let sent = Math.min(after ?? model.position(), model.position());
	let status = '';

	const follow = async (out: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
		const write = async (text: string): Promise<void> => {
			out.enqueue(encoder.encode(text));
			if ((out.desiredSize ?? 0) > 0) return;
			const cancel = clock.after(patience, () => over.abort());
			while ((out.desiredSize ?? 0) <= 0 && !ends.aborted) await drained();
			cancel();
		};
		const tellStatus = async (): Promise<void> => {
			const {slug} = colony.header;
			const [frozen, problems] = [frozenIn(model.doings()), model.problems()];
			const next = JSON.stringify({...model.status(), frozen, problems, slug});
			if (next === status) return;
			status = next;
			await write(`event: status\ndata: ${next}\n\n`);
		};
		await write(`retry: 1000\nid: ${sent}\nevent: open\ndata: {}\n\n`);
		while (!ends.aborted) {
			const until = model.position();
			if (until > sent) {
				for await (const text of piecesOf(bus.read({after: sent}), until, redact)) {
					await write(text);
					if (ends.aborted) break;
				}
				sent = Math.max(sent, until);
			}
			await tellStatus();
			if (model.position() > sent || ends.aborted) continue;
			const cancel = clock.after(beat, () => {
				void write(': \n\n');
				wake();
			});
			await woken();
			cancel();
		}
	};
	return new ReadableStream<Uint8Array>(
		{
			start: out => {
				model.moved(ends, wake);
				ends.addEventListener('abort', () => {
					wake();
					wakeWriter();
				});
				const finish = (): void => {
					over.abort();
					try {
						out.close();
					} catch {
						// Whoever read it is gone.
					}
				};
				void follow(out).then(finish, finish);
			},
			pull: wakeWriter,
			cancel: () => over.abort(),
		},
		new ByteLengthQueuingStrategy({highWaterMark: owed}),
	);
};

/**
 * Messages up to that sequence, in pieces of about what a client may be owed: a socket takes a whole one,
 * however large.
 */
async function* piecesOf(
	batches: AsyncIterable<readonly StoredEvent[]>,
	until: number,
	redact: (text: string) => string,
): AsyncGenerator<string> {
	for await (const batch of batches) {
		let text = '';
		for (const event of batch) {
			if (event.sequence > until) break;
			text += `id: ${event.sequence}\ndata: ${redact(JSON.stringify(eventSnapshot(event)))}\n\n`;
			if (text.length < owed) continue;
			yield text;
			text = '';
		}
		if (text !== '') yield text;
		if ((batch.at(-1)?.sequence ?? 0) >= until) return;
	}
}

/** Two waits that somebody else ends; a call that nobody waits for yet is kept for the next wait. */
const createWakers = () => {
	const create = () => {
		let isDue = false;
		let resume = (): void => {};
		return {
			wake: (): void => {
				isDue = true;
				resume();
			},
			woken: async (): Promise<void> => {
				if (!isDue)
					await new Promise<void>(resolve => {
						resume = resolve;
					});
				isDue = false;
			},
		};
	};
	const moves = create();
	const reads = create();
	return {wake: moves.wake, woken: moves.woken, wakeWriter: reads.wake, drained: reads.woken};
};
