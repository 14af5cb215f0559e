import type {NewEvent} from '../../source/domain/event.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {item, planOf} from './events.ts';

/** Tasks per event, because the size of an event is limited. */
const planSize = 500;

/** Returns plans of that many tasks in one trace. The tasks form a queue, and the first one is next. */
export const largePlan = (tasks: number): NewEvent[] =>
	Array.from({length: Math.ceil(tasks / planSize)}, (_, part) => {
		const size = Math.min(planSize, tasks - part * planSize);
		return planOf(...Array.from({length: size}, (_, index) => item(`task-${part * planSize + index}`)));
	});

/** The reads from a log. */
export type Reads = {
	/** The number of bucket values read, such as checkpoints. */
	values: number;
	/** The total length of those values in characters. */
	characters: number;
	events: number;
};

/** Wraps a log and counts all reads from it. */
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

/** Returns the reads since `before`. */
export const readSince = (reads: Reads, before: Reads): Reads => ({
	values: reads.values - before.values,
	characters: reads.characters - before.characters,
	events: reads.events - before.events,
});
