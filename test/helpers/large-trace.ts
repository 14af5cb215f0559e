import type {NewEvent} from '../../source/domain/event.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {item, planOf} from './events.ts';

/** Tasks of one event, which has a bound. */
const planSize = 500;

/** What plans so many tasks in one trace, one behind the other, the next to be done first. */
export const largePlan = (tasks: number): NewEvent[] =>
	Array.from({length: Math.ceil(tasks / planSize)}, (_, part) => {
		const size = Math.min(planSize, tasks - part * planSize);
		return planOf(...Array.from({length: size}, (_, index) => item(`task-${part * planSize + index}`)));
	});

/** What was read of a log. */
export type Reads = {
	/** Values of buckets, such as checkpoints. */
	values: number;
	/** Characters of those values. */
	characters: number;
	events: number;
};

/** The same log, with an account of all that is read of it. */
export const countReads = <Counted extends Bus>(
	bus: Counted,
): {readonly bus: Counted; readonly reads: Reads} => {
	const reads: Reads = {values: 0, characters: 0, events: 0};
	const count = <Value extends {readonly value: string} | undefined>(entry: Value): Value => {
		if (entry === undefined) return entry;
		reads.values += 1;
		reads.characters += entry.value.length;
		return entry;
	};
	const countedBus = {
		...bus,
		read: async function* (options) {
			for await (const events of bus.read(options)) {
				reads.events += events.length;
				yield events;
			}
		},
		bucket: name => {
			const bucket = bus.bucket(name);
			return {
				...bucket,
				get: async key => count(await bucket.get(key)),
				entries: async () => (await bucket.entries()).map(count),
			};
		},
	} satisfies Bus & Counted;
	return {bus: countedBus, reads};
};

/** What was read since. */
export const readSince = (reads: Reads, before: Reads): Reads => ({
	values: reads.values - before.values,
	characters: reads.characters - before.characters,
	events: reads.events - before.events,
});
