import {afterEach, expect, test} from 'vitest';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {addOf, claimOf, completedOf, finishOf, item, planOf, traceId} from '../helpers/events.ts';
import {createRig, type Rig} from './rig.ts';
import {builder, colonyOf} from './scene.ts';

const waitingTrace = 'trace-that-waits';

let rig: Rig;
afterEach(() => rig.close());

/** Writes a log with checkpoints: one trace that passed its gate, and one that waits at its gate. */
const leaveTraces = async (): Promise<void> => {
	rig = createRig({colony: colonyOf([builder])});
	const reactor = await rig.start();
	await rig.say(planOf(item('a')), {...planOf(item('a')), traceId: waitingTrace});
	await reactor.idle();
	await rig.say(completedOf('_review', {agentId: 'human'}));
	await reactor.idle();
	await reactor.close();
};

const foldedFromTheLog = async (id: string): Promise<Trace> =>
	applyEvents(emptyTrace(id), await rig.log()).trace;

const replace = async (bucketName: string, key: string, value: string | undefined): Promise<void> => {
	const bucket = rig.bus.bucket(bucketName);
	const present = await bucket.get(key);
	await bucket.delete(key, present?.revision ?? 0);
	if (value !== undefined) await bucket.create(key, value);
};

test('a starting reactor folds traces with pending work and skips traces that passed their gate', async () => {
	await leaveTraces();
	const {ledger} = await rig.start();
	expect([...ledger.traces().keys()]).toEqual([waitingTrace]);
});

test('a finished trace is decided on once, with or without a gate, and runs git at most then', async () => {
	rig = createRig({colony: colonyOf([builder])});
	const known = 'trace-that-the-log-knows';
	const run = claimOf('u1', 'a', {trigger: 1, workspace: 'isolated'});
	await rig.say(planOf(item('a')), run, finishOf('u1'), completedOf('a'));
	await rig.say(...[planOf(item('a')), completedOf('a')].map(event => ({...event, traceId: known})));
	const asked: string[] = [];
	const branchDiffers = async (id: string) => {
		asked.push(id);
		return false;
	};
	for (let start = 0; start < 3; start++) {
		const reactor = await rig.start({branchDiffers});
		await reactor.idle();
		expect([...reactor.ledger.traces().keys()]).toEqual(start === 0 ? [traceId, known] : []);
		await reactor.close();
	}
	expect(asked).toEqual([traceId]);
	await rig.say(addOf(3));
	const reactor = await rig.start({branchDiffers});
	await reactor.idle();
	expect([...reactor.ledger.traces().keys()]).toEqual([traceId]);
	expect(asked).toEqual([traceId, traceId]);
});

test('a trace that one start checked without a new reason is not checked at the next start', async () => {
	rig = createRig({colony: colonyOf([builder])});
	await rig.say(planOf(item('a')), completedOf('a'));
	const reactor = await rig.start();
	await reactor.idle();
	await reactor.close();
	const noted = await rig.bus.bucket('ledger-live').get('live');
	await replace('ledger-live', 'live', JSON.stringify({...JSON.parse(noted?.value ?? ''), live: [traceId]}));
	for (const expected of [[traceId], []]) {
		const again = await rig.start();
		await again.idle();
		expect([...again.ledger.traces().keys()]).toEqual(expected);
		await again.close();
	}
});

test('a running reactor forgets finished traces after their checkpoint, and continues them on a new event', async () => {
	rig = createRig({colony: colonyOf([builder])});
	const reactor = await rig.start();
	const over = Array.from({length: 100}, (_, index) => `trace-${index}`);
	for (const id of over)
		await rig.say(...[planOf(item('a')), completedOf('a')].map(event => ({...event, traceId: id})));
	await rig.say({...planOf(item('a')), traceId: waitingTrace});
	await reactor.idle();
	await rig.say({...addOf(3), traceId: 'trace-5'});
	await reactor.idle();
	const kept = [...reactor.ledger.traces().keys()];
	expect(kept).toContain(waitingTrace);
	expect(kept).toContain('trace-5');
	expect(over.filter(id => kept.includes(id)).length).toBeLessThan(50);
	for (const id of ['trace-5', 'trace-0']) {
		await rig.say({...planOf(item('b')), traceId: id});
		await reactor.idle();
		expect(reactor.ledger.snapshot(id)).toEqual(await foldedFromTheLog(id));
		expect(reactor.ledger.snapshot(id).tasks.get('b')?.status).toBe('completed');
	}
	expect(rig.reports).toEqual([]);
});

test.each([
	['sound', () => {}],
	['torn', () => replace('ledger', traceId, '{"version":1,"sequ')],
	['lost', () => replace('ledger', traceId, undefined)],
])('a finished trace whose checkpoint is %s is folded again on a new event', async (_, damage) => {
	await leaveTraces();
	await damage();
	const reactor = await rig.start();
	await rig.say(addOf(3));
	await reactor.idle();
	expect(reactor.ledger.snapshot(traceId)).toEqual(await foldedFromTheLog(traceId));
	await reactor.close();
	const {traces} = await openLedger(rig.bus);
	expect(traces().get(traceId)).toEqual(await foldedFromTheLog(traceId));
	expect(traces().size).toBe(2);
});

test.each([
	['torn', '{"sequence":3'],
	['lost', undefined],
])('every trace is folded if the note of live traces is %s', async (_, value) => {
	await leaveTraces();
	await replace('ledger-live', 'live', value);
	const {ledger} = await rig.start();
	expect([...ledger.traces().keys()].sort()).toEqual([traceId, waitingTrace].sort());
});

test('a trace with an event that no turn has handled is folded at the next start', async () => {
	await leaveTraces();
	await rig.say(planOf(item('b')), completedOf('b', {agentId: 'human'}));
	const other = await rig.start({only: waitingTrace});
	await other.idle();
	await other.close();
	const {ledger} = await rig.start();
	expect(ledger.traces().has(traceId)).toBe(true);
});

test('no trace is ahead of a ledger that opens while events are appended', async () => {
	rig = createRig({colony: colonyOf([builder])});
	await rig.say(planOf(item('a')));
	const heads = async () => {
		const known = await rig.bus.heads();
		await rig.say(addOf(3));
		return known;
	};
	const ledger = await openLedger({...rig.bus, heads});
	expect(ledger.snapshot(traceId).sequence).toBe(ledger.position());
});
