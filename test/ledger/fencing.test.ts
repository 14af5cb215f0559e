import {expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {emptyTrace} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {expectOwnTrace, fencing} from '../../source/ledger/fencing.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {countReads} from '../helpers/large-trace.ts';

const say = (payload: NewEvent['payload']): NewEvent => ({
	...{traceId: 'trace-1', agentId: 'hive', type: 'SIGNAL'},
	payload,
});

const claim = say({kind: 'energy.consume', agentId: 'r1', bee: 'builder', place: 'here', amount: 1});
const note = say({kind: 'task.status', taskId: 'a', status: 'failed'});
const taken = say({kind: 'trace.taken', place: 'there', from: 'here'});

const createScene = async (isShared = true) => {
	const bus = {...createMemoryBus({clock: createSystemClock()}), isShared};
	await bus.append({...claim, energyBudget: 9}, {id: 'claim'});
	const kinds = async () => {
		const found: string[] = [];
		for await (const events of bus.read({after: 0})) found.push(...events.map(({payload}) => payload.kind));
		return found;
	};
	return {bus, fenced: fencing(bus, 'here'), kinds};
};

it('a fenced bus appends to a trace of its own checkout, whatever else is appended', async () => {
	const {bus, fenced, kinds} = await createScene();
	await fenced.append(note, {id: 'one'});
	await bus.append(say({kind: 'context.note'}), {id: 'another'});
	expect(await fenced.append(note, {id: 'two'})).toMatchObject({ok: true, duplicate: false});
	expect(await fenced.append(note, {id: 'two'})).toMatchObject({ok: true, duplicate: true});
	expect(await fenced.append(note, {id: 'three', after: 1})).toMatchObject({ok: false});
	expect(await kinds()).toEqual(['energy.consume', 'task.status', 'context.note', 'task.status']);
});

it('a fenced bus appends nothing to a trace that was taken, even during an append', async () => {
	const {bus, kinds} = await createScene();
	const overtaken = fencing(
		{
			...bus,
			append: async (event, options) => {
				await bus.append(taken, {id: 'taken'});
				return bus.append(event, options);
			},
		},
		'here',
	);
	await expect(overtaken.append(note, {id: 'one'})).rejects.toMatchObject({refusal: {code: 'elsewhere'}});
	await expect(fencing(bus, 'here').append(note, {id: 'two'})).rejects.toThrow('was taken by');
	await expect(expectOwnTrace(bus, emptyTrace('trace-1'), 'here')).rejects.toThrow('was taken by');
	await expectOwnTrace(bus, emptyTrace('trace-1'), 'there');
	expect(await kinds()).toEqual(['energy.consume', 'trace.taken']);
});

it('a fenced bus reads the trace once, and again only after an append by another process', async () => {
	const {bus} = await createScene();
	let looks = 0;
	const watched = {
		...bus,
		read: (options: Parameters<typeof bus.read>[0]) => {
			looks += 1;
			return bus.read(options);
		},
	};
	const fenced = fencing(watched, 'here');
	for (const id of ['one', 'two', 'three']) await fenced.append(note, {id});
	expect(looks).toBe(1);
	await bus.append(say({kind: 'context.note'}), {id: 'another'});
	await fenced.append(note, {id: 'four'});
	expect(looks).toBe(2);
	await bus.append(taken, {id: 'taken'});
	await expect(fenced.append(note, {id: 'five'})).rejects.toThrow('was taken by');
});

it('a fenced bus continues from the folded trace of its process, and refuses one taken since', async () => {
	const {bus} = await createScene();
	const {folded} = await openLedger(bus);
	await bus.append(say({kind: 'context.note'}), {id: 'another'});
	const {bus: counted, reads} = countReads(bus);
	expect(await fencing(counted, 'here', folded).append(note, {id: 'one'})).toMatchObject({ok: true});
	expect(reads).toEqual({values: 0, characters: 0, events: 1});
	await bus.append(taken, {id: 'taken'});
	await expect(fencing(bus, 'here', folded).append(note, {id: 'two'})).rejects.toThrow('was taken by');
});

it('fencing returns the bus itself for a log of one checkout', async () => {
	const {bus, fenced} = await createScene(false);
	expect(fenced).toBe(bus);
});
