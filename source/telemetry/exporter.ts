import {errorMessage} from '../domain/error-message.ts';
import type {Clock} from '../ports/clock.ts';
import {encodeSpans} from './encode.ts';
import type {TelemetrySettings} from './settings.ts';
import type {Span} from './spans.ts';

export type SpanExporter = {
	/** Queues a span. Never waits or throws. A span that was sent with the same end is not sent again. */
	readonly add: (span: Span) => void;
	/** Sends what is queued, once, for at most `closingMs`. */
	readonly close: () => Promise<void>;
};

type Ports = {
	readonly clock: Clock;
	readonly version: string;
	/** Reports in a sentence that spans cannot be sent, once until they can be again. */
	readonly report: (message: string) => void;
};

/** Maximum number of spans that wait; further ones are lost. */
export const maxQueued = 2048;
const maxBatch = 512;
/** Time in which spans gather for one request. */
const gatherMs = 1000;
const firstRetryMs = 1000;
const maxRetryMs = 60_000;
const closingMs = 3000;

/** Status codes after which the protocol asks to send again. */
const retriable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans as OTLP/HTTP JSON, in the background and in batches. While the collector is away, the first
 * `maxQueued` wait. None is kept on disk, since the log has everything.
 */
export const createSpanExporter = (settings: TelemetrySettings, ports: Ports): SpanExporter => {
	const {clock, version, report} = ports;
	const queue: Span[] = [];
	/** End and status of each span that was queued lately, by its id. */
	const known = new Map<string, string>();
	let cancel: (() => void) | undefined;
	let sending: Promise<void> | undefined;
	let retryMs = firstRetryMs;
	let isFailing = false;
	let isClosed = false;
	const tooLong = new AbortController();

	const schedule = (delayMs: number): void => {
		if (cancel !== undefined || sending !== undefined || isClosed) return;
		cancel = clock.after(delayMs, () => {
			cancel = undefined;
			void send();
		});
	};

	const send = (): Promise<void> => {
		sending ??= sendBatch().then(delayMs => {
			sending = undefined;
			if (queue.length > 0) schedule(delayMs);
		});
		return sending;
	};

	/** Returns the delay before the next request. */
	const sendBatch = async (): Promise<number> => {
		const batch = queue.slice(0, maxBatch);
		const outcome = await post(settings, encodeSpans(batch, {...settings, version}), tooLong.signal);
		if (outcome.problem === undefined || !outcome.retry) queue.splice(0, batch.length);
		if (outcome.problem === undefined) {
			isFailing = false;
			retryMs = firstRetryMs;
			return 0;
		}
		if (!isFailing) report(`Spans cannot be sent to ${new URL(settings.url).host}: ${outcome.problem}`);
		isFailing = true;
		const delayMs = outcome.afterMs ?? retryMs;
		retryMs = Math.min(retryMs * 2, maxRetryMs);
		return delayMs;
	};

	return {
		add: span => {
			const state = `${span.end} ${span.status}`;
			if (isClosed || known.get(span.spanId) === state) return;
			known.delete(span.spanId);
			known.set(span.spanId, state);
			for (const oldest of known.keys()) {
				if (known.size <= maxQueued) break;
				known.delete(oldest);
			}
			if (queue.length === maxQueued) return;
			queue.push(span);
			schedule(gatherMs);
		},
		close: async () => {
			cancel?.();
			cancel = undefined;
			isClosed = true;
			const stop = clock.after(closingMs, () => tooLong.abort());
			await sending;
			while (queue.length > 0 && !isFailing) await send();
			stop();
		},
	};
};

type Outcome = {readonly problem?: string; readonly retry?: boolean; readonly afterMs?: number};

const post = async (
	{url, headers, timeoutMs}: TelemetrySettings,
	body: string,
	tooLong: AbortSignal,
): Promise<Outcome> => {
	const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), tooLong]);
	try {
		const answer = await fetch(url, {
			...{method: 'POST', body, redirect: 'error', signal},
			headers: {...headers, 'content-type': 'application/json'},
		});
		// An unread body would keep its connection.
		await answer.body?.cancel();
		if (answer.ok) return {};
		const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
		return {
			problem: `it answers ${answer.status}.`,
			retry: retriable.has(answer.status),
			...(seconds > 0 && {afterMs: Math.min(seconds * 1000, maxRetryMs)}),
		};
	} catch (error) {
		return {problem: describe(error), retry: true};
	}
};

/** `fetch` hides the reason of a failed connection in its cause. */
const describe = (error: unknown): string => {
	const {cause} = error as {readonly cause?: unknown};
	return cause === undefined ? errorMessage(error) : errorMessage(cause);
};
