import {expect, test} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import {runEventId} from '../../source/domain/run.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {createEvent} from '../helpers/events.ts';
import {createRig, scripted, traceId} from './rig.ts';

/** Returns a dispatcher whose log reads are recorded. */
const createScene = async (bee: object) => {
	const read: StoredEvent[] = [];
	const watched = (bus: Bus): Bus => ({
		...bus,
		read: async function* (options) {
			for await (const events of bus.read(options)) {
				read.push(...events);
				yield events;
			}
		},
	});
	const rig = await createRig({bees: {maker: bee}, faulty: ({bus}) => ({bus: watched(bus)})});
	return {...rig, read};
};

const contract = {
	completion_contract: {required: [{type: 'INSIGHT', kind_one_of: ['context.note'], count: 1}]},
};
const publishes = [{type: 'INSIGHT', kind: 'context.note'}];

test('a run reads no earlier events of its trace, whether it fails or not', async () => {
	const {
		run,
		say: publish,
		read,
	} = await createScene(scripted('exit "$(cat outcome 2>/dev/null || echo 1)"'));
	for (let index = 0; index < 50; index++)
		await publish(createEvent('INSIGHT', {kind: 'context.note', summary: `${index}`}));
	const {run: record} = await run('maker');
	expect(record.status).toBe('failed');
	expect(read.filter(({payload}) => payload.kind === 'context.note')).toEqual([]);
});

test('only events after the launch of a run count for its contract', async () => {
	const {
		begin,
		ended,
		collect,
		say: publish,
		read,
	} = await createScene(scripted('exit 0', {publishes, ...contract}));
	const note = (agentId = 'human') =>
		createEvent('INSIGHT', {kind: 'context.note', summary: 'seen'}, {agentId});
	await publish(note());
	const agentId = await begin('maker');
	await publish(note(agentId));
	await ended(agentId);
	expect((await collect(agentId)).run.status).toBe('completed');
	const first = Math.min(...read.map(({sequence}) => sequence));
	expect(read.length).toBeGreaterThan(0);
	expect(first).toBeGreaterThan(1);
	expect(read.some(({id}) => id === runEventId(traceId, agentId, 'finished'))).toBe(false);
});
