import {expect, test} from 'vitest';
import {createOccupancy} from '../../source/reactor/occupancy.ts';
import {
	claimOf,
	finishOf,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	traceId,
} from '../helpers/events.ts';
import {builder, colonyOf, mason, scout} from './scene.ts';

const colony = colonyOf([builder, mason, scout]);

test('occupancy counts the open runs of this checkout, and which of them are in the root', () => {
	const occupancy = createOccupancy('here');
	const trace = reduceAll(
		planOf(item('a')),
		claimOf('r1', '', {trigger: 1, bee: 'mason'}),
		claimOf('r2', '', {trigger: 1, bee: 'scout'}),
		claimOf('r3', '', {trigger: 1, bee: 'builder'}),
		claimOf('r4', '', {trigger: 1, bee: 'scout', place: 'there'}),
	);
	occupancy.update(trace, colony);
	expect(occupancy.open()).toBe(3);
	expect(occupancy.root()).toEqual([
		{traceId, agentId: 'r1', bee: 'mason', writes: true},
		{traceId, agentId: 'r2', bee: 'scout', writes: false},
	]);
});

test('occupancy counts the run of a missing bee as a writer of its workspace', () => {
	const occupancy = createOccupancy('here');
	const gone = claimOf('r1', '', {trigger: 1, bee: 'leaver', workspace: 'root'});
	occupancy.update(reduceAll(planOf(item('a')), gone), colony);
	expect(occupancy.root()).toEqual([{traceId, agentId: 'r1', bee: 'leaver', writes: true}]);
});

test('occupancy frees the root although another run of the trace began in the same batch of events', () => {
	const occupancy = createOccupancy('here');
	const inRoot = reduceAll(planOf(item('a')), readyOf('a'), claimOf('r1', '', {trigger: 1, bee: 'mason'}));
	expect(occupancy.update(inRoot, colony)).toBe(false);
	const swapped = reduceLater(inRoot, finishOf('r1'), claimOf('r2', 'a', {bee: 'builder'}));
	expect(occupancy.update(swapped, colony)).toBe(true);
	expect([occupancy.open(), occupancy.root()]).toEqual([1, []]);
});

test('a reservation for a trace counts until its release, whatever events are folded meanwhile', () => {
	const occupancy = createOccupancy('here');
	const planned = reduceAll(planOf(item('a')), readyOf('a'));
	const claimed = reduceLater(planned, claimOf('r1', 'a', {bee: 'mason'}));
	occupancy.reserve(claimed, colony);
	expect(occupancy.update(planned, colony)).toBe(false);
	expect([occupancy.open(), occupancy.root().length]).toEqual([1, 1]);
	expect(occupancy.release(traceId)).toBe(false);
	expect([occupancy.open(), occupancy.root().length]).toEqual([0, 0]);
});

test('a slot that a trace leaves during a reservation is free after the release', () => {
	const occupancy = createOccupancy('here');
	const running = reduceAll(planOf(item('a')), readyOf('a'), claimOf('r1', 'a', {bee: 'mason'}));
	occupancy.update(running, colony);
	occupancy.reserve(running, colony);
	expect(occupancy.update(reduceLater(running, finishOf('r1')), colony)).toBe(false);
	expect(occupancy.release(traceId)).toBe(true);
	expect(occupancy.open()).toBe(0);
});

test('a folded run counts, although its trace was reserved before the run was known', () => {
	const occupancy = createOccupancy('here');
	const planned = reduceAll(planOf(item('a')), readyOf('a'));
	occupancy.reserve(planned, colony);
	occupancy.update(reduceLater(planned, claimOf('r1', 'a', {bee: 'mason'})), colony);
	expect([occupancy.open(), occupancy.root().length]).toEqual([1, 1]);
	occupancy.release(traceId);
	expect(occupancy.open()).toBe(1);
});

test('a session takes no slot, but occupies the root like every run', () => {
	const occupancy = createOccupancy('here');
	const talking = reduceAll(
		planOf(item('a')),
		claimOf('r1', '', {trigger: 1, bee: 'mason', interactive: true}),
		claimOf('r2', '', {trigger: 1, bee: 'scout'}),
	);
	occupancy.update(talking, colony);
	expect([occupancy.open(), occupancy.root().map(({agentId}) => agentId)]).toEqual([1, ['r1', 'r2']]);
	const alone = reduceLater(talking, finishOf('r2'));
	occupancy.update(alone, colony);
	expect([occupancy.open(), occupancy.root().map(({agentId}) => agentId)]).toEqual([0, ['r1']]);
	expect(occupancy.update(reduceLater(alone, finishOf('r1')), colony)).toBe(true);
	expect(occupancy.root()).toEqual([]);
});
