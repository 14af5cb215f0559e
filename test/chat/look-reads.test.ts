import {expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {createInboxReader} from '../../source/host/review/read-inbox.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {consider, loadPending} from '../../source/reactor/pending.ts';
import {claimOf, finishOf, statusOf, traceId} from '../helpers/events.ts';
import {countReads, largePlan, readSince} from '../helpers/large-trace.ts';
import {createOffice} from './office.ts';

/**
 * Opens a log with one trace of `tasks` tasks that a reactor has processed, and a gateway's reader that has
 * looked once.
 */
const openLog = async (tasks: number) => {
	const memory = {...createMemoryBus({clock: createSystemClock()}), redacts: true as const};
	const {bus, reads} = countReads(memory);
	const {context, say} = await createOffice({bus});
	await say(...largePlan(tasks));
	const ledger = await openLedger(bus);
	await ledger.checkpoint();
	const pending = await loadPending(bus, context.checkout);
	for await (const events of memory.read({after: 0}))
		for (const event of events) consider(pending, event, ledger.snapshot(event.traceId), context.colony);
	await pending.save(pending.cursor());
	const read = createInboxReader(context, ledger);
	await read();
	const look = async () => {
		const before = {...reads};
		const {entries, traces} = await read();
		return {entries, traces, reads: readSince(reads, before)};
	};
	return {say, look};
};

test.each([100, 5000])(
	'a look at a loaded trace of %i tasks reads only the cursor of the reactor',
	async tasks => {
		const {look} = await openLog(tasks);
		const {reads} = await look();
		expect(reads).toMatchObject({values: 1, events: 0});
		expect(reads.characters).toBeLessThan(100);
	},
);

test('a look includes every event since the previous look', async () => {
	const {say, look} = await openLog(100);
	expect((await look()).entries).toEqual([]);
	await say(claimOf('run1', 'task-0'), finishOf('run1', 'failed'), statusOf('task-0', 'failed'));
	const {entries, traces, reads} = await look();
	expect(entries).toMatchObject([{kind: 'failed', traceId, taskId: 'task-0'}]);
	expect(traces.get(traceId)?.tasks.get('task-0')?.status).toBe('failed');
	// Three events that were folded, and the same three, which no reactor has processed.
	expect(reads.events).toBe(6);
});
