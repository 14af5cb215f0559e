import {describe, expect, it} from 'vitest';
import type {ActionContext} from '../../source/actions/context.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import type {Review} from '../../source/domain/task.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {watchWork} from '../../source/host/live/watch-work.ts';
import {loadPending} from '../../source/reactor/pending.ts';
import {colonyFrom} from '../colony/sample-colony.ts';
import {
	claimOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	statusOf,
	traceId,
} from '../helpers/events.ts';
import {createManualClock} from '../reactor/rig.ts';

const colony = await colonyFrom({
	'bees/guard.yaml':
		'adapter: script\ncommand: [sh]\nsubscribes: [{type: MUTATION, kind: code.proposal.isolated, dispatch: direct}]\n',
});

/** Returns the exit code of `run --until-idle` after a proposal and the given later events. */
const exitAfter = async (...given: Parameters<typeof idleAfter>) => (await idleAfter(...given)).exitCode;

const idleAfter = async (review: Review, energyBudget: number, ...since: readonly NewEvent[]) => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	const proposed = [
		{...planOf({...item('a'), review}), energyBudget},
		claimOf('run1', 'a'),
		proposalOf('run1', 'a'),
		finishOf('run1'),
	];
	for (const [index, event] of [...proposed, ...since].entries())
		await bus.append(event, {id: `event-${index}`});
	const context = {bus, clock, colony, checkout: 'here'} as unknown as ActionContext;
	return (await watchWork(context)).idle(undefined);
};

const guard = claimOf('guard1', 'a', {bee: 'guard', trigger: 3, place: 'there'});
const left = createEvent('SIGNAL', {
	kind: 'task.status',
	taskId: 'a',
	status: 'waiting_review',
	unattended: true,
});

it('an idle colony waits for a person at a review, and at a commit gate that no bee will check', async () => {
	expect(await exitAfter('required', 9, guard, finishOf('guard1'), statusOf('a', 'waiting_review'))).toBe(8);
	expect(await exitAfter('none', 9, guard, finishOf('guard1'), left)).toBe(8);
});

it('an idle colony waits for no person while a guard is due, and for honey if that is missing', async () => {
	expect(await exitAfter('required', 9, guard)).toBe(0);
	expect(await exitAfter('none', 9, statusOf('a', 'waiting_review'), guard)).toBe(0);
	expect(await exitAfter('none', 1, statusOf('a', 'waiting_review'))).toBe(7);
});

it('an idle colony reports the decision that a person has to make, with the command', async () => {
	const reviewed = await idleAfter('required', 9, guard, finishOf('guard1'), statusOf('a', 'waiting_review'));
	expect(reviewed.standing).toEqual([
		{
			traceId,
			hasBegun: true,
			why: 'Title of a: Its work waits for your review (no verdict).',
			next: `hive proposal approve --trace ${traceId} --task a`,
		},
	]);
});

describe('the list of requests that never began', () => {
	const bees =
		'adapter: script\ncommand: [sh]\nsubscribes: [{type: SIGNAL, kind: asked, dispatch: direct}]\n';
	const standing = async (...events: readonly NewEvent[]) => {
		const clock = createManualClock();
		const bus = createMemoryBus({clock});
		for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
		const read = await colonyFrom({'bees/scout.yaml': bees, 'bees/broken.yaml': 'adapter: [\n'});
		const context = {bus, clock, colony: read, checkout: 'here'} as unknown as ActionContext;
		// Marks all events as considered by a reactor.
		const pending = await loadPending(bus, 'here');
		for await (const batch of bus.read({after: 0}))
			for (const {traceId: id, sequence} of batch)
				pending.consider(id, sequence, {runs: [], invite: undefined});
		await pending.save(pending.cursor());
		const {exitCode, standing: found} = await (await watchWork(context)).idle(undefined);
		return [exitCode, ...found.map(({why}) => why)];
	};
	const asks = (kind: string, more: object = {}): NewEvent => ({
		...createEvent('SIGNAL', {kind, ...more}),
		energyBudget: 9,
	});

	it('has a request whose bee is missing now, or was missing when the request came', async () => {
		const unread = '.hive/bees/broken.yaml cannot be read';
		expect(await standing(asks('bee.requested', {bee: 'drone'}))).toEqual([
			8,
			`there is no bee "drone"; ${unread}`,
		]);
		expect(await standing(asks('bee.requested', {bee: 'scout'}))).toEqual([
			8,
			'scout did not take bee.requested when it came',
		]);
		expect(await standing(asks('wanted'))).toEqual([8, `no bee takes wanted; ${unread}`]);
		expect(await standing(createEvent('SIGNAL', {kind: 'feature.requested'}))).toEqual([
			8,
			`no bee takes feature.requested; ${unread}`,
		]);
	});

	it('excludes informational signals, answered requests, and events that do not begin their trace', async () => {
		expect(await standing(createEvent('SIGNAL', {kind: 'asked'}))).toEqual([0]);
		expect(await standing(createEvent('SIGNAL', {kind: 'told'}), asks('wanted'))).toEqual([0]);
		expect(await standing(createEvent('SIGNAL', {kind: 'energy.add', amount: 2}))).toEqual([0]);
		const run = claimOf('run1', '', {bee: 'scout', trigger: 1, taskId: undefined});
		expect(await standing(asks('wanted'), run, finishOf('run1'))).toEqual([0]);
		expect(await standing(asks('wanted'), createEvent('SIGNAL', {kind: 'system.kill'}))).toEqual([0]);
	});
});

it('an idle colony names a request that its forge has not taken', async () => {
	const clock = createManualClock();
	const bus = createMemoryBus({clock});
	const about = {taskId: 'gate', tree: 'a'.repeat(40), base: 'main', by: 'ada'};
	const events = [
		planOf({...item('gate'), review: 'final'}),
		statusOf('gate', 'waiting_review'),
		createEvent('SIGNAL', {kind: 'pull_request.requested', ...about}),
		claimOf('run1', 'none', {trigger: 1}),
		finishOf('run1'),
	];
	for (const [index, event] of events.entries()) await bus.append(event, {id: `event-${index}`});
	const context = {bus, clock, colony, checkout: 'here'} as unknown as ActionContext;
	const {exitCode, standing} = await (await watchWork(context)).idle(undefined);
	expect(exitCode).toBe(8);
	expect(standing.map(({why}) => why)).toEqual([
		'its pull request is not at the forge yet, which has not answered',
	]);
});
