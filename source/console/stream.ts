import type {StoredEvent} from '../domain/event.ts';
import {frozenIn} from '../host/views/activity.ts';
import {eventSnapshot} from '../host/views/event.ts';
import type {ConsoleServices} from './console-services.ts';

/** Milliseconds between keep-alive comments, and the max time a client may take to read what was sent. */
const heartbeatMs = 15_000;
const clientTimeoutMs = 20_000;

/** Max bytes buffered for a client before the stream waits for it. */
const maxBufferedBytes = 64 * 1024;

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
	{context, model, colony}: Pick<ConsoleServices, 'context' | 'model' | 'colony'>,
	after: number | undefined,
	over: AbortController,
): ReadableStream<Uint8Array> => {
	const {clock, bus, redact = (text: string) => text} = context;
	const signal = over.signal;
	const {
		wake: notifyChange,
		woken: waitForChange,
		drained: waitForDrain,
		wakeWriter: notifyDrained,
	} = createSignals();
	let lastSent = Math.min(after ?? model.position(), model.position());
	let status = '';

	const streamTo = async (out: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
		const write = async (text: string): Promise<void> => {
			out.enqueue(encoder.encode(text));
			if ((out.desiredSize ?? 0) > 0) return;
			const cancel = clock.after(clientTimeoutMs, () => over.abort());
			while ((out.desiredSize ?? 0) <= 0 && !signal.aborted) await waitForDrain();
			cancel();
		};
		const sendStatus = async (): Promise<void> => {
			const {slug} = colony.header;
			const [frozen, problems] = [frozenIn(model.doings()), model.problems()];
			// No event says that a base has moved.
			const bases = Object.fromEntries(model.bases());
			const next = JSON.stringify({...model.status(), frozen, problems, bases, slug});
			if (next === status) return;
			status = next;
			await write(`event: status\ndata: ${next}\n\n`);
		};
		await write(`retry: 1000\nid: ${lastSent}\nevent: open\ndata: {}\n\n`);
		while (!signal.aborted) {
			const until = model.position();
			if (until > lastSent) {
				for await (const text of serializeEvents(bus.read({after: lastSent}), until, redact)) {
					await write(text);
					if (signal.aborted) break;
				}
				lastSent = Math.max(lastSent, until);
			}
			await sendStatus();
			if (model.position() > lastSent || signal.aborted) continue;
			const cancel = clock.after(heartbeatMs, () => {
				void write(': \n\n');
				notifyChange();
			});
			await waitForChange();
			cancel();
		}
	};
	return new ReadableStream<Uint8Array>(
		{
			start: out => {
				model.onChange(signal, notifyChange);
				signal.addEventListener('abort', () => {
					notifyChange();
					notifyDrained();
				});
				const finish = (): void => {
					over.abort();
					try {
						out.close();
					} catch {
						// The client has disconnected.
					}
				};
				void streamTo(out).then(finish, finish);
			},
			pull: notifyDrained,
			cancel: () => over.abort(),
		},
		new ByteLengthQueuingStrategy({highWaterMark: maxBufferedBytes}),
	);
};

/**
 * Messages up to a sequence, in pieces of about `owed` bytes. A socket buffers a piece whole, however large
 * it is.
 */
async function* serializeEvents(
	batches: AsyncIterable<readonly StoredEvent[]>,
	until: number,
	redact: (text: string) => string,
): AsyncGenerator<string> {
	for await (const batch of batches) {
		let text = '';
		for (const event of batch) {
			if (event.sequence > until) break;
			text += `id: ${event.sequence}\ndata: ${redact(JSON.stringify(eventSnapshot(event)))}\n\n`;
			if (text.length < maxBufferedBytes) continue;
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
const createSignals = () => {
	const create = () => {
		let isPending = false;
		let resume = (): void => {};
		return {
			wake: (): void => {
				isPending = true;
				resume();
			},
			woken: async (): Promise<void> => {
				if (!isPending)
					await new Promise<void>(resolve => {
						resume = resolve;
					});
				isPending = false;
			},
		};
	};
	const changes = create();
	const drains = create();
	return {wake: changes.wake, woken: changes.woken, wakeWriter: drains.wake, drained: drains.woken};
};
