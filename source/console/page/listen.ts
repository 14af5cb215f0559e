import {proof} from './api.ts';

/**
 * Milliseconds: the first backoff, the max backoff, and the time without data or comments after which the
 * connection counts as dead.
 */
const pause = 1000;
const longestPause = 15_000;
const silence = 40_000;

/**
 * Follows the colony's stream. Calls back for every message, and with false when the connection is lost. It
 * reconnects after the last event by itself. EventSource would do the same, but cannot send our header. It
 * resolves once the console no longer knows this browser.
 */
export const listenTo = async (call: (isOpen: boolean) => void): Promise<void> => {
	let last = '';
	let wait = pause;
	for (;;) {
		const over = new AbortController();
		let timer = 0;
		const hear = (): void => {
			clearTimeout(timer);
			timer = setTimeout(() => over.abort(), silence);
		};
		try {
			hear();
			const headers = {...proof(), ...(last === '' ? {} : {'Last-Event-ID': last})};
			const {ok, status, body} = await fetch('/api/stream', {headers, signal: over.signal});
			if (status === 401) return clearTimeout(timer);
			if (ok && body !== null)
				for await (const lines of messagesIn(body)) {
					hear();
					wait = pause;
					last = /^id: (\d+)$/m.exec(lines)?.[1] ?? last;
					if (/^data:/m.test(lines)) call(true);
				}
		} catch {
			// Every error is retried.
		}
		clearTimeout(timer);
		call(false);
		await new Promise(resolve => setTimeout(resolve, wait));
		wait = Math.min(2 * wait, longestPause);
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
