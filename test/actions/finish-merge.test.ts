import {expect, test} from 'vitest';
import {finishMerge, type MergePorts} from '../../source/actions/finish-merge.ts';
import {createWriters, type WriterChanges} from '../../source/colony/configuration/writers.ts';
import {HiveError} from '../../source/domain/errors.ts';
import {emptyTrace, type OpenMerge} from '../../source/domain/trace.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {collect} from '../contract/collect.ts';

test('a merge that cannot be recorded as a writer is abandoned, and no later record names it', async () => {
	const clock = createSystemClock();
	const bus = createMemoryBus({clock});
	const recorded: WriterChanges[] = [];
	let isFull = true;
	const writers = createWriters(clock, async changes => {
		if (!isFull) return void recorded.push(changes);
		isFull = false;
		throw new HiveError('internal', {message: 'The disk is full.'});
	});
	const ports = {
		...{bus, clock, writers, by: 'human', checkout: 'here'},
		ids: {event: () => 'given-up'},
		colony: {root: '/repo'},
	} as unknown as MergePorts;
	const merge: OpenMerge = {taskId: '_review', tree: 'abc', by: 'human', sequence: 1};
	await expect(finishMerge(ports, emptyTrace('t'), merge)).rejects.toThrow('The disk is full.');
	await writers.settled();
	expect(recorded).toEqual([{begun: [], ended: ['the merge of t']}]);
	expect((await collect(bus.read({after: 0}))).map(({payload}) => payload)).toEqual([
		{kind: 'merge.abandoned', taskId: '_review', reason: 'The disk is full.'},
	]);
	await writers.beginWriting({id: 'run a', description: 'run a was open'});
	expect(recorded.at(-1)).toMatchObject({begun: [{id: 'run a'}], ended: []});
});
