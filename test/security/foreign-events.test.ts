import {describe, expect, test} from 'vitest';
import type {StoredEvent} from '../../source/domain/event.ts';
import {badIdMessage} from '../../source/domain/event-ids.ts';
import {validateEvent} from '../../source/domain/validate-event.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {artifactsDirectory, runDirectory, taskDirectory, traceDirectory} from '../../source/runs/layout.ts';
import {worktreePath} from '../../source/workspaces/worktree/worktree-state.ts';
import {createRig} from '../reactor/rig.ts';
import {colonyOf, planner} from '../reactor/scene.ts';

/** Wraps the log as another program would write it: the id "evil" becomes an invalid id. */
const foreign = (bus: Bus, change: (event: StoredEvent) => StoredEvent): Bus => {
	const changed = async function* (batches: AsyncIterable<readonly StoredEvent[]>) {
		for await (const batch of batches)
			yield batch.map(event => (event.payload.summary === 'evil' ? change(event) : event));
	};
	return {
		...bus,
		read: options => changed(bus.read(options)),
		follow: options => changed(bus.follow(options)),
	};
};

const evil = {traceId: 't', type: 'SIGNAL' as const, payload: {kind: 'own.kind', summary: 'evil'}};
const request = {...evil, payload: {kind: 'feature.requested', title: 'T'}};

describe('an event with a bad id that another program wrote', () => {
	test.each([
		['traceId "../../victim"', {traceId: '../../victim', payload: request.payload}],
		[
			'taskId "../../t"',
			{payload: {kind: 'task.plan', tasks: [{taskId: '../../t', title: 'T', bee: 'planner'}]}},
		],
		['agentId "../a"', {agentId: '../a', payload: request.payload}],
	])('starts no run, writes no file and is reported: %s', async (words, change) => {
		const rig = createRig({colony: colonyOf([planner])});
		await rig.say(evil, {...request, traceId: 'good'});
		const bus = foreign(rig.bus, event => ({...event, ...change}));
		const reactor = await rig.start({bus});
		await reactor.idle();
		expect(rig.reports).toEqual([
			`Event 1 of the log is left out: the ${words} is not an id. "hive bus verify" names all such events.`,
		]);
		await rig.say(evil);
		await reactor.idle();
		expect(rig.notes).toEqual(['begin planner', 'collect planner']);
		expect(rig.reports).toHaveLength(2);
		expect([...reactor.ledger.traces().values()].flatMap(({tasks}) => [...tasks.keys()])).toEqual([]);
		await reactor.close();
	});
});

test("a colony's own event kinds may have ids of any form", () => {
	const event = {traceId: 't', type: 'SIGNAL' as const, payload: {kind: 'issue.opened', taskId: '#12'}};
	expect(badIdMessage(event)).toBeUndefined();
});

test.each(['../../victim', 'a/b', '', '.', 'a\0b'])('no path is built from the invalid id %j', id => {
	for (const make of [
		() => traceDirectory('/r', id),
		() => runDirectory('/r', id, 'a'),
		() => runDirectory('/r', 't', id),
		() => taskDirectory('/r', 't', id),
		() => artifactsDirectory('/r', id),
		() => worktreePath({root: '/r', traceId: id}),
	])
		expect(make).toThrow('is not a');
});

describe('the title of a trace', () => {
	const events = (title: string) => [
		{traceId: 't', type: 'SIGNAL', payload: {kind: 'feature.requested', title}},
		{traceId: 't', type: 'INSIGHT', payload: {kind: 'task.plan', tasks: [{taskId: 'a', title}]}},
		{traceId: 't', type: 'SIGNAL', payload: {kind: 'task.ready', taskId: 'a', title}},
		{traceId: 't', type: 'SIGNAL', payload: {kind: 'artifact.written', ref: 'a', title}},
	];

	test('is accepted with 500 characters, and refused if it is longer or contains NUL', () => {
		for (const event of events('x'.repeat(500))) expect(validateEvent(event).ok).toBe(true);
		for (const title of ['x'.repeat(501), 'a\0b'])
			for (const event of [...events(title), {...events('')[0], payload: {kind: 'trace.title', title}}])
				expect(validateEvent(event)).toMatchObject({ok: false, refusal: {code: 'schema_validation_failed'}});
	});
});
