import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {offerTo} from '../../source/drivers/reactor-channel/ask.ts';
import {openSqliteBus} from '../../source/drivers/sqlite-bus/sqlite-bus.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {createColony} from '../helpers/colony-on-disk.ts';

/** Writes a checkpoint ahead of the log, so that a reader of the checkpoint fails. */
const breakCheckpoint = async (folder: string, traceId: string): Promise<void> => {
	const bus = await openSqliteBus({file: join(folder, 'events.sqlite'), clock: createSystemClock()});
	const ledger = await openLedger(bus);
	const event = {type: 'INSIGHT', payload: {kind: 'context.note', summary: 'x'}} as const;
	ledger.apply([{...event, traceId, id: 'ahead', sequence: 1_000_000, at: new Date(0).toISOString()}]);
	await ledger.checkpoint();
	await bus.close();
};

test.skipIf(process.env.HIVE_TEST_BUS === 'nats')(
	'a reactor checks an event against its folded trace, and reads no checkpoint',
	async () => {
		const colony = await createColony({bees: {builder: {script: 'wait_for go'}}});
		const folder = join(colony.home, '.config/hive/scratch');
		const text = JSON.stringify({
			...{traceId: 't', type: 'INSIGHT'},
			payload: {kind: 'context.note', summary: 'hello'},
		});
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
		const reactor = colony.follow();
		await reactor.says('runs here');
		await reactor.event({kind: 'task.status', taskId: 'a', status: 'running'});
		await breakCheckpoint(folder, 't');
		const answer = await offerTo(join(folder, 'reactor.sock'), {text}, 'said');
		expect(answer).toMatchObject({ok: true, value: {exit: 0}});
		await reactor.event({kind: 'context.note'});
		const alone = await colony.ask(['event', 'emit', '--stdin'], {input: text, exit: 5});
		expect(alone).toMatchObject({error: 'log_replaced'});
	},
);
