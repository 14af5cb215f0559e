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

/** A log with checkpoints: a trace that a person took through its gate, and one that waits there. */
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

test('a start folds what may have something pending and leaves out what a person took through its gate', async () => {
	await leaveTraces();
	const {ledger} = await rig.start();
	expect([...ledger.traces().keys()]).toEqual([waitingTrace]);
});

test('a finished trace is looked at once, whether or not it had a gate, and git is asked of it at most then', async () => {
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

test('a trace that a start looks at for no new reason is not looked at by the next', async () => {
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

test('a reactor at work keeps nothing of what is over once its checkpoint is written, and goes on with it when something is said', async () => {
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
])('a finished trace whose checkpoint is %s is folded when something is said of it', async (_, damage) => {
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
])('everything is folded when the note of what is live is %s', async (_, value) => {
	await leaveTraces();
	await replace('ledger-live', 'live', value);
	const {ledger} = await rig.start();
	expect([...ledger.traces().keys()].sort()).toEqual([traceId, waitingTrace].sort());
});

test('a trace that no turn has looked at since something was said of it is folded at the next start', async () => {
	await leaveTraces();
	await rig.say(planOf(item('b')), completedOf('b', {agentId: 'human'}));
	const other = await rig.start({only: waitingTrace});
	await other.idle();
	await other.close();
	const {ledger} = await rig.start();
	expect(ledger.traces().has(traceId)).toBe(true);
});

test('no trace is ahead of the ledger that is opened while somebody speaks', async () => {
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
