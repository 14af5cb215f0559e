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

test('nobody is looked at before something falls free, then each once', () => {
	const {waiting, lookAt} = waitingFor('a', 'b');
	expect(lookAt()).toBeUndefined();
	waiting.freed();
	expect([lookAt(), lookAt(), lookAt()]).toEqual(['a', 'b', undefined]);
	waiting.freed();
	expect(lookAt()).toBe('a');
});

test('as many are looked at a time as there are places', () => {
	const {waiting, setPlaces} = waitingFor('a', 'b', 'c');
	setPlaces(2);
	waiting.freed();
	expect([waiting.next(), waiting.next(), waiting.next()]).toEqual(['a', 'b', undefined]);
	waiting.considered('a');
	expect(waiting.next()).toBe('c');
});

test('when the places are taken the others go on waiting, and are next when one falls free', () => {
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

test('who is removed is not looked at', () => {
	const {waiting, lookAt} = waitingFor('a', 'b');
	waiting.freed();
	waiting.remove('a');
	expect([lookAt(), lookAt()]).toEqual(['b', undefined]);
});

test('who comes after something fell free waits for the next time, so that a round comes to its end', () => {
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
