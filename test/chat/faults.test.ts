import {describe, expect, it, onTestFinished} from 'vitest';
import {runWithLease} from '../../source/chat/lease.ts';
import {makePairingCode, unpair} from '../../source/chat/pairing.ts';
import {HiveError} from '../../source/domain/errors.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import type {Clock} from '../../source/ports/clock.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {claimOf, finishOf, item, planOf, statusOf, traceId} from '../helpers/events.ts';
import {createOffice, openGateway, quietSettings} from './office.ts';

const system = createSystemClock();

/** A clock that notes each wait and ends it after at most 5 ms. */
const impatient = (waits: number[] = []): Clock => ({
	...system,
	after: (milliseconds, call) => {
		waits.push(milliseconds);
		return system.after(Math.min(milliseconds, 5), call);
	},
});

const atReview = [
	planOf({...item('one'), review: 'required' as const}),
	...[statusOf('one', 'ready'), claimOf('run1', 'one'), finishOf('run1'), statusOf('one', 'waiting_review')],
];

const approvedAtTheTerminal = {
	...{traceId, agentId: 'human', type: 'VERIFICATION' as const},
	payload: {kind: 'task.completed', taskId: 'one', status: 'completed', summary: 'ok'},
};

describe('a gateway on a failing platform', () => {
	it.each([
		[
			'a token that is not taken',
			{status: 401, description: 'Unauthorized'},
			/does not accept the bot token/,
		],
		['another poller', {status: 409, description: 'Conflict'}, /Another program reads/],
		['a server that fails', {status: 502, description: 'Bad Gateway'}, /answers 502/],
		[
			'too many calls',
			{status: 429, description: 'Too Many Requests', retryAfter: 3},
			/limits the rate of requests/,
		],
	])('reports %s once, retries with growing waits, and reports recovery', async (_, answer, words) => {
		const [waits, api] = [[] as number[], await startBotApi()];
		for (let times = 0; times < 3; times++) api.faults.push({method: 'getUpdates', answer});
		const office = await createOffice({clock: impatient(waits)});
		const {said} = await openGateway(office, api);
		api.say('/help');
		await api.message('/status');
		expect(said).toEqual([expect.stringMatching(words), 'The chat platform answers again.']);
		const long = waits.filter(wait => wait >= 500);
		expect(long).toEqual(
			answer.status === 429 ? [3000, 3000, 3000] : [long[0], 2 * (long[0] ?? 0), 4 * (long[0] ?? 0)],
		);
	});

	it('recovers from lost connections and malformed answers', async () => {
		const api = await startBotApi();
		api.faults.push({method: 'getUpdates', lost: 'before'}, {method: 'getUpdates', lost: 'after'});
		api.faults.push({method: 'getUpdates', result: [null, 'nonsense', {update_id: 'x'}, {message: {}}]});
		const {said} = await openGateway(await createOffice({clock: impatient()}), api);
		api.update({message: {text: 5}});
		api.update({callback_query: {id: 4, data: []}});
		api.say('/help');
		await api.message('/status');
		expect(said.join('\n')).not.toContain('secret-token');
		expect(said).toContain('The chat platform sent an update that hive cannot read; it is ignored.');
	});

	it('sends one card if the answer to it was lost or demands a wait', async () => {
		const api = await startBotApi();
		api.faults.push({
			method: 'sendMessage',
			answer: {status: 429, description: 'Too Many Requests', retryAfter: 1},
		});
		const office = await createOffice({clock: impatient()});
		await office.say(...atReview);
		const {desk} = await openGateway(office, api);
		await desk.poll();
		await api.message('hive tells you here');
		api.faults.push({method: 'sendMessage', lost: 'after'});
		await desk.settled();
		await desk.poll();
		await desk.settled();
		expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
	});
});

describe('a message that the platform refuses', () => {
	const description = 'Bad Request: BUTTON_DATA_INVALID';

	it('does not block other messages of its chat, and is reported once', async () => {
		const [office, api] = [await createOffice({clock: impatient()}), await startBotApi()];
		const failures: unknown[] = [];
		const {desk} = await openGateway(office, api, {onError: (_, error) => void failures.push(error)});
		await desk.poll();
		api.say('/help');
		await api.message('/status -');
		await desk.settled();
		await office.say(...atReview);
		const shown = (words: string) => api.messages.filter(({text}) => text.includes(words)).length;
		for (let times = 1; times <= 3; times++) {
			api.faults.push({method: 'sendMessage', answer: {status: 400, description}});
			await desk.poll();
			await desk.settled();
			api.faults.push({method: 'sendMessage', answer: {status: 400, description}});
			api.say('/traces');
			await api.until(() => shown('1 task') === times || undefined);
			await desk.settled();
		}
		expect(shown('Review')).toBe(0);
		expect(failures).toHaveLength(1);
		await desk.poll();
		await desk.settled();
		expect(shown('Review')).toBe(1);
	});

	it('is the last attempt in a chat that blocked the bot', async () => {
		const [office, api] = [await createOffice({clock: impatient()}), await startBotApi()];
		await office.say(...atReview);
		const {desk} = await openGateway(office, api);
		const blocked = {status: 403, description: 'Forbidden: bot was blocked by the user'};
		api.faults.push({method: 'sendMessage', answer: blocked});
		await desk.poll();
		await desk.settled();
		expect(api.calls.filter(method => method === 'sendMessage')).toHaveLength(1);
		await desk.poll();
		await api.message('Review');
	});
});

it('a lost answer is not matched with another message of the chat', async () => {
	const [office, api] = [await createOffice({clock: impatient()}), await startBotApi()];
	const {desk, channel} = await openGateway(office, api);
	await desk.poll();
	api.say('/help');
	await api.message('/status -');
	await desk.settled();
	await office.say(...atReview);
	api.faults.push({method: 'sendMessage', lost: 'before'});
	await desk.poll();
	await desk.settled();
	await desk.sendBetween('7', () => channel.sendText('7', 'Something else.'));
	await desk.poll();
	await desk.settled();
	expect(api.messages.filter(({text}) => text.includes('Review'))).toHaveLength(1);
	expect(api.messages.filter(({text}) => text === 'Something else.')).toHaveLength(1);
});

describe('the update offset', () => {
	it('is dropped after a week, since the platform may restart its count', async () => {
		const [office, api] = [await createOffice(), await startBotApi()];
		const week = 7 * 24 * 60 * 60 * 1000;
		const kept = {offset: 5_000_000, at: Date.now() - week};
		await office.bucket.create('telegram.1.offset', JSON.stringify(kept));
		await openGateway(office, api);
		api.say('/help');
		await api.message('/status');
	});

	it('advances past unreadable updates', async () => {
		const [api, waits] = [await startBotApi(), [] as number[]];
		for (let times = 0; times < 3; times++)
			api.faults.push({method: 'getUpdates', result: [{nonsense: true}]});
		const {said} = await openGateway(await createOffice({clock: impatient(waits)}), api);
		api.say('/help');
		await api.message('/status');
		expect(said.filter(words => words.includes('cannot read'))).toHaveLength(1);
		expect(waits.filter(wait => wait >= 500)).toHaveLength(3);
	});
});

it('the gateway recovers from a poll that gets no answer', async () => {
	const api = await startBotApi();
	api.faults.push({method: 'getUpdates', hangs: true});
	const {said} = await openGateway(await createOffice({clock: impatient()}), api, {}, 0.2);
	api.say('/help');
	await api.message('/status');
	expect(said[0]).toContain('cannot be reached');
});

it('a press while the log is unreachable is refused with a notice, and not performed later', async () => {
	const [office, api] = [await createOffice({clock: impatient()}), await startBotApi()];
	await office.say(...atReview);
	let isAway = false;
	const bucket = {
		...office.bucket,
		update: async (...given: Parameters<typeof office.bucket.update>) => {
			if (isAway) throw new HiveError('bus_unreachable');
			return office.bucket.update(...given);
		},
	};
	const {desk, said} = await openGateway({...office, bucket}, api);
	await desk.poll();
	const card = await api.message('Review');
	await desk.settled();
	isAway = true;
	// The gateway reports nothing until the platform knows that the press is final.
	api.faults.push({method: 'getUpdates', lost: 'before'});
	api.press(card, 'Approve');
	await api.until(() => api.answers.some(text => text.includes('log cannot be reached')) || undefined);
	isAway = false;
	api.say('/help');
	await api.message('/status');
	expect(card.text).not.toContain('are you sure');
	expect(said.join()).toContain('was refused');
});

describe('pairing', () => {
	const stranger = {user: 50, chat: 60};

	it('adds the chat that sends the code, once', async () => {
		const [office, api] = [await createOffice(), await startBotApi()];
		await openGateway(office, api, {settings: {...quietSettings, users: [], chats: []}});
		const code = await makePairingCode({bucket: office.bucket, prefix: 'telegram.1.'}, office.context.clock);
		api.say('WRONGCODE2', stranger);
		api.say(`/start ${code}`, stranger);
		await api.message('is paired');
		api.say(code, {user: 51, chat: 61});
		api.say('/help', {user: 51, chat: 61});
		api.say('/help', stranger);
		await api.message('/status');
		expect(new Set(api.messages.map(({chat}) => chat))).toEqual(new Set(['60']));
	});

	it('is revoked at once: shown cards stay, and buttons and texts of the chat do nothing', async () => {
		const [office, api] = [await createOffice(), await startBotApi()];
		const pairings = {bucket: office.bucket, prefix: 'telegram.1.'};
		const {desk} = await openGateway(office, api, {settings: {...quietSettings, users: [], chats: []}});
		const code = await makePairingCode(pairings, office.context.clock);
		api.say(code, stranger);
		await api.message('is paired');
		await office.say(...atReview);
		await desk.poll();
		const card = await api.message('Review');
		await desk.settled();
		const asShown = structuredClone(card);

		expect(await unpair(pairings, '60')).toMatchObject([{user: '50', chat: '60'}]);
		expect(await unpair(pairings, '60')).toEqual([]);
		const calls = () => api.calls.filter(method => method !== 'getUpdates').length;
		const before = calls();
		api.press(card, 'Approve', stranger);
		api.say('/status', stranger);
		// A used code adds the chat no more.
		api.say(code, stranger);
		await api.until(() => api.pending() === 0 || undefined);
		await office.say(approvedAtTheTerminal);
		await desk.poll();
		await desk.settled();
		expect(calls()).toBe(before);
		expect(card).toEqual(asShown);
		expect((await office.events()).some(({agentId}) => agentId === 'chat')).toBe(false);
		api.say(await makePairingCode(pairings, office.context.clock), stranger);
		await api.until(
			() => api.messages.filter(({text}) => text.includes('is paired')).length === 2 || undefined,
		);
	});

	it('rejects a code after ten minutes', async () => {
		let now = 1_000_000;
		const clock = {...system, now: () => now};
		const [office, api] = [await createOffice({clock}), await startBotApi()];
		await openGateway(office, api);
		const code = await makePairingCode({bucket: office.bucket, prefix: 'telegram.1.'}, clock);
		now += 10 * 60 * 1000 + 1;
		api.say(code, stranger);
		api.say('/help');
		await api.message('/status');
		expect(api.messages.every(({chat}) => chat === '7')).toBe(true);
	});
});

describe('two gateways', () => {
	/** Starts a gateway with a clock that the test moves; its waits end at once. */
	const start = async (
		bucket: Awaited<ReturnType<typeof createOffice>>['bucket'],
		clock: Clock,
		more: Partial<Parameters<typeof runWithLease>[0]> = {},
	) => {
		const over = new AbortController();
		onTestFinished(() => over.abort());
		let begin = (): void => {};
		const begun = new Promise<void>(resolve => {
			begin = resolve;
		});
		const said: string[] = [];
		const held = runWithLease(
			{
				...{bucket, clock, key: 'lease', place: 'here', lock: {take: () => true, release: () => {}}, ...more},
				signal: over.signal,
				report: message => void said.push(message),
			},
			signal =>
				new Promise<void>(resolve => {
					begin();
					signal.addEventListener('abort', () => resolve());
				}),
		);
		const end = async () => {
			over.abort();
			await held;
		};
		return {begun, said, end};
	};

	it('take turns: the second reports that it waits, and starts when the first has ended', async () => {
		const {bucket} = await createOffice();
		const first = await start(bucket, impatient());
		await first.begun;
		const second = await start(bucket, impatient(), {place: 'there'});
		await expect.poll(() => second.said).toEqual([expect.stringContaining('Another gateway answers (pid')]);
		await first.end();
		await second.begun;
	});

	it('replace one whose heartbeat stopped, and at once one of this checkout whose process is gone', async () => {
		const {bucket} = await createOffice();
		await bucket.create('lease', JSON.stringify({id: 'a', place: 'here', host: 'a', pid: 1, beat: 0}));
		const local = await start(bucket, impatient());
		await local.begun;
		await local.end();
		await bucket.create('lease', JSON.stringify({id: 'a', place: 'there', host: 'a', pid: 1, beat: 0}));
		let elapsed = 0;
		const remote = await start(bucket, {...impatient(), elapsed: () => (elapsed += 1000)});
		await remote.begun;
		expect(elapsed).toBeGreaterThan(12_000);
		expect(elapsed).toBeLessThanOrEqual(15_000);
	});

	it('wait for the lock of their checkout, whichever process holds the lease', async () => {
		const {bucket} = await createOffice();
		let isTaken = true;
		const lock = {take: () => !isTaken, release: () => {}};
		const second = await start(bucket, impatient(), {lock});
		await expect.poll(() => second.said).toEqual([expect.stringContaining('of this checkout')]);
		expect(await bucket.entries()).toEqual([]);
		isTaken = false;
		await second.begun;
	});

	it('do not replace one whose heartbeat was unreadable while the log was unreachable', async () => {
		const {bucket} = await createOffice();
		await bucket.create('lease', JSON.stringify({id: 'a', place: 'there', host: 'a', pid: 1, beat: 0}));
		let elapsed = 0;
		let asked = 0;
		const shaky = {
			...bucket,
			get: async (key: string) => {
				asked += 1;
				// The log is unreachable from the third look to the twentieth, with a second between looks.
				if (asked > 2 && asked <= 20) throw new HiveError('bus_unreachable');
				return bucket.get(key);
			},
		};
		const clock = {...impatient(), elapsed: () => elapsed};
		let looks = 0;
		const counting: Clock = {
			...clock,
			after: (milliseconds, call) => {
				if (milliseconds === 1000) elapsed += 1000;
				looks += 1;
				return clock.after(milliseconds, call);
			},
		};
		const second = await start(shaky, counting);
		await second.begun;
		expect(asked).toBeGreaterThan(30);
		expect(looks).toBeGreaterThan(30);
		expect(second.said.filter(words => words.includes('reached'))).toHaveLength(1);
	});
});
