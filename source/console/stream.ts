import type {StoredEvent} from '../domain/event.ts';
import {frozenIn} from '../host/views/doing.ts';
import {eventSnapshot} from '../host/views/event.ts';
import type {World} from './world.ts';

/** Milliseconds between keep-alive comments, and the max time a client may take to read what was sent. */
const beat = 15_000;
const patience = 20_000;

/** Max bytes buffered for a client before the stream waits for it. */
const owed = 64 * 1024;

const encoder = new TextEncoder();

/**
 * Streams the log as server-sent events, with the sequence as id. Each event comes once, in order, after
 * `after`. The log is read only as far as the views have applied it. So a client that reads a view after an
 * event finds the event in it, and no state is kept per client. A client that stops reading is dropped, and
 * resumes with its last id when it reconnects.
 * @param after sequence to start after; absent or beyond the end of the log, the stream begins now
 * @param over ends the stream: aborted by the caller, or when the client disconnects
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
						// The client has disconnected.
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
 * Messages up to a sequence, in pieces of about `owed` bytes. A socket buffers a piece whole, however large
 * it is.
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

/**
 * Two signals that are awaited here and raised elsewhere. A signal raised before the wait is kept for
 * the next wait.
 */
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
