import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {chooseCheckout, createPlacement} from '../../source/reactor/machines/placement.ts';
import {createManualClock} from './rig.ts';

const place = (checkout: string, free = 4, only?: string) => ({checkout, free, ...(only && {only})});
const names = Array.from({length: 1000}, (_, index) => `trace-${index}`);

describe('the place that is to take a trace', () => {
	it('is the same for everybody who sees the same places, in whatever order', () => {
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

	it('is each as often as it has room', () => {
		const chosen = names.map(name => chooseCheckout(name, [place('a', 6), place('b', 2), place('c', 0)]));
		const share = (checkout: string) => chosen.filter(one => one === checkout).length / names.length;
		expect([share('a'), share('b'), share('c')]).toEqual([
			expect.closeTo(0.75, 1),
			expect.closeTo(0.25, 1),
			0,
		]);
	});

	it('is no place that works on another trace alone', () => {
		expect(chooseCheckout('t', [place('a', 4, 'other')])).toBeUndefined();
		expect(chooseCheckout('t', [place('a', 4, 't')])).toBe('a');
	});
});

/** A share-out here, beside another place that is to have `trace`. */
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

describe('a trace that nobody has', () => {
	it('is left to the place that is to take it for a while, and taken by whoever looks then', () => {
		const {assignedTo: leftTo, isWaiting, clock, requests} = createScene();
		expect([leftTo({traceId: 't'}), isWaiting()]).toEqual(['other', true]);
		clock.advance(2999);
		expect([leftTo({traceId: 't'}), isWaiting(), requests]).toEqual(['other', true, []]);
		clock.advance(1);
		expect([leftTo({traceId: 't'}), isWaiting(), requests]).toEqual([undefined, false, ['t']]);
	});

	it('is waited for no more once somebody has it', () => {
		const {assignedTo: leftTo, isWaiting, clock, requests} = createScene();
		leftTo({traceId: 't'});
		expect(leftTo({traceId: 't', place: 'other'})).toBeUndefined();
		clock.advance(5000);
		expect([isWaiting(), requests]).toEqual([false, []]);
	});

	it('is taken at once when the other place is gone, and by a reactor that is over never asked for again', () => {
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
