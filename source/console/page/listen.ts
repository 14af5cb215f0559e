import {proof} from './api.ts';

/**
 * Milliseconds: the first backoff, the max backoff, and the time without data or comments after which the
 * connection counts as dead.
 */
const initialRetryMs = 1000;
const maxRetryMs = 15_000;
const silenceTimeoutMs = 40_000;

/**
 * Follows the colony's stream. Calls back for every message, and with false when the connection is lost. It
 * reconnects after the last event by itself. EventSource would do the same, but cannot send our header. It
 * resolves once the console no longer knows this browser.
 */
export const listenToStream = async (call: (isOpen: boolean) => void): Promise<void> => {
	let lastEventId = '';
	let retryMs = initialRetryMs;
	for (;;) {
		const over = new AbortController();
		let timer = 0;
		const resetTimeout = (): void => {
			clearTimeout(timer);
			timer = setTimeout(() => over.abort(), silenceTimeoutMs);
		};
		try {
			resetTimeout();
			const headers = {...proof(), ...(lastEventId === '' ? {} : {'Last-Event-ID': lastEventId})};
			const {ok, status, body} = await fetch('/api/stream', {headers, signal: over.signal});
			if (status === 401) return clearTimeout(timer);
			if (ok && body !== null)
				for await (const lines of messagesIn(body)) {
					resetTimeout();
					retryMs = initialRetryMs;
					lastEventId = /^id: (\d+)$/m.exec(lines)?.[1] ?? lastEventId;
					if (/^data:/m.test(lines)) call(true);
				}
		} catch {
			// Every error is retried.
		}
		clearTimeout(timer);
		call(false);
		await new Promise(resolve => setTimeout(resolve, retryMs));
		retryMs = Math.min(2 * retryMs, maxRetryMs);
	}
};

/** Server-sent messages, each as its text. */
async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let rest = '';
	for (let next = await reader.read(); !next.done; next = await reader.read()) {
		const messages = (rest + decoder.decode(next.value, {stream: true})).split('\n\n');
		rest = messages.pop() ?? '';
		yield* messages;
	}
}
