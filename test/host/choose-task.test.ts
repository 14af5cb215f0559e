import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {chooseTask} from '../../source/host/actions/choose-task.ts';
import {type ActionId, actionTable} from '../../source/host/actions/table.ts';
import {
	announcedOf,
	claimOf,
	finishOf,
	item,
	planOf,
	proposalOf,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {createManualClock} from '../reactor/rig.ts';

const choose = async (id: ActionId, events: readonly NewEvent[], trace = traceId) => {
	const bus = expectNoSecrets(createMemoryBus({clock: createManualClock()}));
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	return chooseTask({bus}, actionTable[id], trace);
};

const gate = [planOf({...item('_review'), review: 'final'}), statusOf('_review', 'waiting_review')];
const proposed = (agentId: string, taskId: string): readonly NewEvent[] => [
	...announcedOf(taskId),
	claimOf(agentId, taskId, {workspace: 'isolated'}),
	proposalOf(agentId, taskId),
	finishOf(agentId),
	statusOf(taskId, 'waiting_review'),
];
const reviewed = [
	planOf({...item('a'), review: 'required'}, {...item('b'), review: 'required'}),
	...proposed('r', 'a'),
];

describe('the task of an action that was given only a trace', () => {
	it.each(['proposal.approve', 'proposal.reject'] as const)('is the one that waits: %s', async id => {
		expect(await choose(id, gate)).toEqual({ok: true, value: '_review'});
		expect(await choose(id, reviewed)).toEqual({ok: true, value: 'a'});
	});

	it('is refused if several fit, and each of them is named', async () => {
		const outcome = await choose('proposal.approve', [...reviewed, ...proposed('s', 'b')]);
		expect(outcome).toMatchObject({
			ok: false,
			refusal: {
				code: 'usage',
				message: expect.stringMatching(
					/^2 tasks of ".*" fit "hive proposal approve": name one with --task\.$/,
				),
				details: [
					{path: '--task a', message: 'Title of a (waiting for review)'},
					{path: '--task b', message: 'Title of b (waiting for review)'},
				],
			},
		});
	});

	it('is refused if none fits, with the command that lists the tasks', async () => {
		expect(await choose('proposal.reject', [planOf(item('a'))])).toMatchObject({
			ok: false,
			refusal: {code: 'wrong_status', hint: expect.stringContaining(`hive task list --trace ${traceId}`)},
		});
		expect(await choose('proposal.reject', [], 'other')).toMatchObject({
			ok: false,
			refusal: {code: 'trace_not_found'},
		});
	});

	it('is no task that runs: a retry stops a run only if its task is named', async () => {
		const running = [planOf(item('a'), item('b')), ...announcedOf('a'), claimOf('r', 'a')];
		expect(await choose('task.retry', running)).toMatchObject({ok: false});
		const failed = [...running, finishOf('r', 'failed')];
		expect(await choose('task.retry', failed)).toEqual({ok: true, value: 'a'});
	});
});
