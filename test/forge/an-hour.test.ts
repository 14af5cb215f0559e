import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import {forgeDefaults} from '../../source/colony/forge.ts';
import {accepted} from '../../source/domain/errors.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {type WatchPorts, watchRequests} from '../../source/forge/watch.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {ForgePlace} from '../../source/ports/forge.ts';
import {openForge, providers} from '../contract/forge-rig.ts';
import {createEvent, item, planOf, statusOf} from '../helpers/events.ts';

const hourMs = 3_600_000;
/** Max calls of an hour without an answer, for one request. Each read is tried twice. */
const maxCallsAway = 100;
/** Longest pause between two looks. */
const maxPauseMs = 5 * 60_000;
const afterCommentMs = 20 * 60_000;
/** Max calls of one look. */
const callsOfLook = 6;
const head = 'a'.repeat(40);

/** A clock on which a wait takes no time: it goes on to the end of each one at once. */
const createSkippingClock = (): Clock & {readonly at: (timeMs: number, call: () => void) => void} => {
	const start = Date.now();
	let elapsed = 0;
	const planned: {readonly timeMs: number; readonly call: () => void}[] = [];
	return {
		now: () => start + elapsed,
		elapsed: () => elapsed,
		after: (delayMs, call) => {
			const timer = setImmediate(() => {
				elapsed += delayMs;
				for (const {call: due} of planned.filter(({timeMs}) => timeMs <= elapsed)) due();
				planned.splice(0, planned.length, ...planned.filter(({timeMs}) => timeMs > elapsed));
				call();
			});
			return () => clearImmediate(timer);
		},
		at: (timeMs, call) => void planned.push({timeMs, call}),
	};
};

/** Requests that are open at a forge and in a log, and a watcher of them. */
const createWatched = async (provider: ForgePlace['provider'], count: number) => {
	const {server, forge} = await openForge(provider);
	const clock = createSkippingClock();
	const bus = createMemoryBus({clock});
	const traces = Array.from({length: count}, (_, index) => `trace-${index}`);
	for (const traceId of traces) {
		// The forge looks at no branch of a fork, so the test needs none.
		const {number} = await server.openRequest({branch: `hive/${traceId}`, head, isFromFork: true});
		const about = {taskId: 'gate', tree: 'b'.repeat(40)};
		const events = [
			planOf({...item('gate'), review: 'final'}),
			statusOf('gate', 'waiting_review'),
			createEvent('SIGNAL', {kind: 'pull_request.requested', ...about, base: 'main', by: 'ada'}),
			createEvent('SIGNAL', {kind: 'pull_request.pushed', ...about, number, url: '', commit: head}),
		];
		for (const [index, event] of events.entries())
			await bus.append({...event, traceId}, {id: `${traceId}/${index}`});
	}
	const settings = {
		...{...forgeDefaults, ...server.place(provider), draft: false},
		...{reviewers: [], labels: [], trusted: []},
	};
	const reports: string[] = [];
	// Without a push and a merge no other part of it is used.
	const context = {bus, clock, checkout: 'here'} as unknown as ActionContext;
	const ports = {context, settings, report: (message: string) => void reports.push(message)};
	const remote = {remote: 'origin', known: new Set<string>()};
	const connect: WatchPorts['connect'] = async () => accepted({...ports, forge, remote});
	return {
		...{server, clock, reports, traces},
		fold: (traceId: string) => loadTrace(bus, traceId),
		/** Watches until that time of the clock. */
		watch: async (untilMs: number) => {
			const over = new AbortController();
			clock.at(untilMs, () => over.abort());
			await watchRequests({...ports, connect}, {signal: over.signal, once: false});
		},
		/** Answers of the API since the last call, and how many said that nothing changed (304). */
		takeCalls: () => {
			const calls = server.calls.splice(0);
			const unchanged = calls.filter(({status}) => status === 304).length;
			return {calls: calls.length, unchanged, others: calls.length - unchanged};
		},
	};
};

/** Requests at the forge. */
const count = 1;
/** Max calls for one request: the hour after its last news, an hour at rest, 20 minutes with a comment. */
const maxCalls = {after: 400, rest: 80, busy: 330};

describe.each(providers)('an hour of watching at %s', provider => {
	it('asks often while something happens and seldom at rest, and reads again only what has changed', async () => {
		const {server, clock, watch, takeCalls, traces, fold, reports} = await createWatched(provider, count);
		const hours: ReturnType<typeof takeCalls>[] = [];
		for (const hour of [1, 2]) clock.at(hour * hourMs, () => hours.push(takeCalls()));
		clock.at(2 * hourMs, () => {
			for (const {number} of server.model.requests) server.comment(number, {author: 'ada', body: 'Shorter.'});
		});
		await watch(2 * hourMs + afterCommentMs);
		const [after, rest] = hours;
		const busy = takeCalls();
		const found: Readonly<Record<string, typeof busy | undefined>> = {after, rest, busy};
		for (const [name, max] of Object.entries(maxCalls)) {
			const {calls = 0} = found[name] ?? {};
			expect(calls, name).toBeGreaterThan(0);
			expect(calls, name).toBeLessThanOrEqual(count * max);
		}
		expect(after?.others).toBeLessThanOrEqual(count * callsOfLook + 1);
		expect(rest?.others).toBe(0);
		expect(busy.others).toBeLessThanOrEqual(count * 2);
		for (const traceId of traces) expect((await fold(traceId)).pullRequest?.comments).toHaveLength(1);
		expect(reports).toEqual([]);
	});

	it('says once that the network is away, asks less and less, and reads on once it is back', async () => {
		const {server, clock, watch, takeCalls, traces, fold, reports} = await createWatched(provider, 1);
		await watch(1);
		takeCalls();
		const mend = server.fail({match: /./, times: Number.POSITIVE_INFINITY, cut: 'before'});
		for (const {number} of server.model.requests) server.comment(number, {author: 'ada', body: 'Shorter.'});
		let away = takeCalls();
		clock.at(hourMs, () => {
			away = takeCalls();
			mend();
		});
		await watch(hourMs + maxPauseMs + 1);
		expect(reports).toEqual([expect.stringMatching(/^(GitHub|GitLab) cannot be reached: /)]);
		expect(away.calls).toBeGreaterThan(10);
		expect(away.calls).toBeLessThan(maxCallsAway);
		for (const traceId of traces) {
			const {pullRequest: request} = await fold(traceId);
			expect(request?.comments.map(({text}) => text)).toEqual(['Shorter.']);
		}
	});
});
