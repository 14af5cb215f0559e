import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {chooseCheckout, createPlacement} from '../../source/reactor/machines/placement.ts';
import {createManualClock} from './rig.ts';

const place = (checkout: string, free = 4, only?: string) => ({checkout, free, ...(only && {only})});
const names = Array.from({length: 1000}, (_, index) => `trace-${index}`);

describe('the machine that is chosen for a trace', () => {
	it('is the same for every machine that sees the same machines, in any order', () => {
		const places = fc.uniqueArray(fc.record({checkout: fc.string({minLength: 1}), free: fc.nat({max: 8})}), {
			selector: ({checkout}) => checkout,
			maxLength: 6,
		});
		fc.assert(
			fc.property(fc.string(), places, (traceId, seen) => {
				const chosen = chooseCheckout(traceId, seen);
				expect(chooseCheckout(traceId, seen.toReversed())).toBe(chosen);
				expect(chosen === undefined).toBe(seen.every(({free}) => free === 0));
				expect(seen.find(({checkout}) => checkout === chosen)?.free ?? 1).toBeGreaterThan(0);
			}),
		);
	});

	it('is chosen in proportion to its free slots', () => {
		const chosen = names.map(name => chooseCheckout(name, [place('a', 6), place('b', 2), place('c', 0)]));
		const share = (checkout: string) => chosen.filter(one => one === checkout).length / names.length;
		expect([share('a'), share('b'), share('c')]).toEqual([
			expect.closeTo(0.75, 1),
			expect.closeTo(0.25, 1),
			0,
		]);
	});

	it('is never a machine that is reserved for another trace', () => {
		expect(chooseCheckout('t', [place('a', 4, 'other')])).toBeUndefined();
		expect(chooseCheckout('t', [place('a', 4, 't')])).toBe('a');
	});
});

/** Creates a share-out here, beside another machine that is chosen for `trace`. */
const createScene = () => {
	const clock = createManualClock();
	const requests: string[] = [];
	const over = new AbortController();
	const others = [place('other')];
	const own = () => [place('here', 0), ...others];
	const share = createPlacement({
		...{clock, checkout: 'here', candidates: own, signal: over.signal},
		request: traceId => requests.push(traceId),
	});
	return {...share, clock, requests, others, over};
};

describe('a trace without an owner', () => {
	it('is left to the chosen machine for a while, and then to any machine that decides on it', () => {
		const {assignedTo: leftTo, isWaiting, clock, requests} = createScene();
		expect([leftTo({traceId: 't'}), isWaiting()]).toEqual(['other', true]);
		clock.advance(2999);
		expect([leftTo({traceId: 't'}), isWaiting(), requests]).toEqual(['other', true, []]);
		clock.advance(1);
		expect([leftTo({traceId: 't'}), isWaiting(), requests]).toEqual([undefined, false, ['t']]);
	});

	it('is not waited for once a machine owns it', () => {
		const {assignedTo: leftTo, isWaiting, clock, requests} = createScene();
		leftTo({traceId: 't'});
		expect(leftTo({traceId: 't', place: 'other'})).toBeUndefined();
		clock.advance(5000);
		expect([isWaiting(), requests]).toEqual([false, []]);
	});

	it('is taken at once if the chosen machine is gone, and is not requested again by a closed reactor', () => {
		const {assignedTo: leftTo, others, clock, requests, over} = createScene();
		leftTo({traceId: 't'});
		leftTo({traceId: 'u'});
		others.length = 0;
		expect(leftTo({traceId: 't'})).toBeUndefined();
		over.abort();
		clock.advance(5000);
		expect(requests).toEqual([]);
	});
});
