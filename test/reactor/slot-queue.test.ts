import {expect, test} from 'vitest';
import {createSlotQueue} from '../../source/reactor/slot-queue.ts';

const waitingFor = (...traces: string[]) => {
	let places = 1;
	const waiting = createSlotQueue(() => places);
	for (const traceId of traces) waiting.add(traceId);
	const lookAt = (): string | undefined => {
		const traceId = waiting.next();
		if (traceId !== undefined) waiting.considered(traceId);
		return traceId;
	};
	return {
		waiting,
		lookAt,
		setPlaces: (count: number) => {
			places = count;
		},
	};
};

test('no trace is offered before a slot becomes free, and then each trace once', () => {
	const {waiting, lookAt} = waitingFor('a', 'b');
	expect(lookAt()).toBeUndefined();
	waiting.freed();
	expect([lookAt(), lookAt(), lookAt()]).toEqual(['a', 'b', undefined]);
	waiting.freed();
	expect(lookAt()).toBe('a');
});

test('the number of traces offered at a time is the number of free slots', () => {
	const {waiting, setPlaces} = waitingFor('a', 'b', 'c');
	setPlaces(2);
	waiting.freed();
	expect([waiting.next(), waiting.next(), waiting.next()]).toEqual(['a', 'b', undefined]);
	waiting.considered('a');
	expect(waiting.next()).toBe('c');
});

test('traces that find no free slot keep waiting, and are next when a slot becomes free', () => {
	const {waiting, lookAt, setPlaces} = waitingFor('a', 'b', 'c');
	waiting.freed();
	expect(lookAt()).toBe('a');
	waiting.served('a');
	setPlaces(0);
	expect(lookAt()).toBeUndefined();
	setPlaces(1);
	waiting.freed();
	expect([lookAt(), lookAt(), lookAt(), lookAt()]).toEqual(['b', 'c', 'a', undefined]);
});

test('a removed trace is not offered', () => {
	const {waiting, lookAt} = waitingFor('a', 'b');
	waiting.freed();
	waiting.remove('a');
	expect([lookAt(), lookAt()]).toEqual(['b', undefined]);
});

test('a trace that is added after a slot became free waits for the next round, so that a round ends', () => {
	const {waiting, lookAt} = waitingFor('a');
	waiting.freed();
	expect(lookAt()).toBe('a');
	waiting.remove('a');
	waiting.add('a');
	waiting.add('b');
	expect(lookAt()).toBeUndefined();
	waiting.freed();
	expect([lookAt(), lookAt()]).toEqual(['a', 'b']);
});
