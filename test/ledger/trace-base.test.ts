import {describe, expect, it} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createMemoryBus} from '../../source/drivers/memory-bus.ts';
import {readRecordedBase} from '../../source/ledger/recorded-base.ts';
import {claimOf, createEvent, item, planOf, reduceAll, traceId} from '../helpers/events.ts';

const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)] as const;

const based = (branch: unknown, more: object = {}) =>
	createEvent('SIGNAL', {kind: 'trace.based', branch, commit: older, place: 'here', ...more});

const claimOn = (branch: string) =>
	claimOf('one', 'a', {workspace: 'isolated', base: {branch, commit: newer}});

describe('a named base', () => {
	it('is kept with the checkout that has the branch, and seen wherever the trace is', () => {
		expect(reduceAll(based('release'), planOf(item('a')))).toMatchObject({
			...{base: {branch: 'release', commit: older}, place: 'here', problems: []},
		});
	});

	it('counts once, and only before the trace begins', () => {
		const trace = reduceAll(based('release'), based('main'), planOf(item('a')), based('other'));
		expect(trace).toMatchObject({base: {branch: 'release'}, problems: [{sequence: 2}, {sequence: 4}]});
		const late = reduceAll(planOf(item('a')), based('release'));
		expect(late).toMatchObject({problems: [{sequence: 2}]});
		expect(late).not.toHaveProperty('base');
	});

	it.each(['', '-x', 'a..b', 'a b', 'a\nb', 'x.lock', '@{1}', 7, undefined])('is no ref: %j', branch => {
		const trace = reduceAll(based(branch), planOf(item('a')));
		expect(trace).toMatchObject({problems: [{sequence: 1}]});
		expect(trace).not.toHaveProperty('base');
	});

	it('needs a commit and a checkout', () => {
		for (const lacking of [{commit: 'main'}, {place: ''}])
			expect(reduceAll(based('release', lacking))).not.toHaveProperty('base');
	});

	it('goes with a purge', () => {
		const purged = reduceAll(based('release'), createEvent('SIGNAL', {kind: 'trace.purged'}));
		expect(purged).not.toHaveProperty('base');
	});
});

describe('the recorded base', () => {
	const read = async (...events: Parameters<typeof reduceAll>) => {
		const bus = createMemoryBus({clock: createSystemClock()});
		for (const [index, event] of events.entries()) await bus.append(event, {id: `e${index}`});
		return readRecordedBase(bus, traceId);
	};

	it('is the named one before a run is claimed', async () => {
		expect(await read(based('release'), planOf(item('a')))).toEqual({branch: 'release', commit: older});
	});

	it('has the commit at which the work began, if the claim is on the same branch', async () => {
		const base = await read(based('release'), planOf(item('a')), claimOn('release'));
		expect(base).toEqual({branch: 'release', commit: newer});
	});

	it('stays the named one if an older hive began the work elsewhere', async () => {
		const base = await read(based('release'), planOf(item('a')), claimOn('main'));
		expect(base).toEqual({branch: 'release', commit: older});
	});

	it('is that of the first claim without a named one', async () => {
		expect(await read(planOf(item('a')), claimOn('main'))).toEqual({branch: 'main', commit: newer});
	});
});
