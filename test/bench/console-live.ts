import {setTimeout as pause} from 'node:timers/promises';
import {chromium} from 'playwright-core';
import type {Bus} from '../../source/ports/bus.ts';
import {createBusyColony} from './busy-colony.ts';
import type {Row} from './row.ts';
import {serveConsole} from './serve-console.ts';

const rate = 1000;
const seconds = 20;
const traces = 20;
/** Seconds before the measurement, until the page and V8 have settled. */
const warmUpSeconds = 2;

/** Row 56 of docs/performance.md: the time from an append until the page in a browser has the event. */
export const benchConsoleLive = async (): Promise<Row[]> => {
	const colony = await createBusyColony({});
	const reactor = await colony.startReactor();
	const served = await serveConsole(colony);
	const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
	try {
		const page = await browser.newPage();
		await page.addInitScript(hearStream);
		await page.goto(served.link);
		await page.getByRole('navigation').waitFor();
		await page.waitForFunction('heard.isOpen');
		await page.goto(`${new URL(served.link).origin}/#/events`);
		const followed = followLog(colony.bus);
		const began = Date.now();
		await sayAtRate(colony.bus);
		const took = (Date.now() - began) / 1000;
		const times = await waitsOf(() => page.evaluate<number[]>('heard.times'));
		const p99 = quantile(times, 0.99);
		return [
			{
				row: 56,
				name: `event to browser at ${rate} events/s: p99 (ms)`,
				ratio: p99,
				target: '<= 100 ms',
				met: p99 <= 100 && times.length === rate * seconds,
				detail: `p50 ${quantile(times, 0.5)}, a follower of the log ${quantile(followed.end(), 0.99)} ms (p50 ${quantile(followed.end(), 0.5)}); ${times.length} of ${rate * seconds} events at ${(times.length / took).toFixed(0)} a second`,
			},
		];
	} finally {
		await browser.close();
		await served.end();
		await reactor.end('SIGTERM');
		await colony.dispose();
	}
};

/** Appends each event separately, as runs do, with its start time. */
const sayAtRate = async (bus: Bus): Promise<void> => {
	const begin = performance.now();
	const appends: Promise<unknown>[] = [];
	while (appends.length < rate * seconds) {
		const due = Math.min(rate * seconds, Math.ceil(((performance.now() - begin) / 1000) * rate));
		while (appends.length < due) {
			const number = appends.length;
			const event = {
				traceId: `trace-${number % traces}`,
				agentId: 'cli',
				type: 'INSIGHT',
				payload: {kind: 'context.note', summary: `Note ${number}`, begun: Date.now()},
			} as const;
			appends.push(bus.append(event, {id: `note ${number}`}));
		}
		await pause(1);
	}
	await Promise.all(appends);
};

/** Measures the age of each event when this process receives it. */
const followLog = (bus: Bus) => {
	const times: number[] = [];
	const over = new AbortController();
	void (async () => {
		for await (const events of bus.follow({after: await bus.last(), signal: over.signal}))
			for (const {payload} of events) times.push(Date.now() - Number(payload.begun));
	})();
	return {
		end: () => {
			over.abort();
			return times;
		},
	};
};

const quantile = (times: readonly number[], share: number): number => {
	const sorted = times.slice(rate * warmUpSeconds).sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
};

/** Waits until all events have arrived, or no more arrive. */
const waitsOf = async (read: () => Promise<number[]>): Promise<number[]> => {
	for (let before = -1; ; ) {
		const times = await read();
		if (times.length === rate * seconds || times.length === before) return times;
		before = times.length;
		await pause(2000);
	}
};

/** Runs in the page before its own script: it observes the event stream and records the age of each event. */
const hearStream = `
	globalThis.heard = {isOpen: false, times: []};
	const ask = fetch;
	globalThis.fetch = async (path, init) => {
		const answer = await ask(path, init);
		if (path === '/api/stream' && answer.ok) void listen(answer.clone().body);
		return answer;
	};
	const listen = async body => {
		heard.isOpen = true;
		let rest = '';
		for await (const text of body.pipeThrough(new TextDecoderStream())) {
			const messages = (rest + text).split('\\n\\n');
			rest = messages.pop();
			for (const message of messages) {
				const [, begun] = /"begun":(\\d+)/.exec(message) ?? [];
				if (begun) heard.times.push(Date.now() - begun);
			}
		}
	};
`;
