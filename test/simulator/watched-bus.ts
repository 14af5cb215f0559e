import {isDeepStrictEqual} from 'node:util';
import type {StoredEvent} from '../../source/domain/event.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {decodeTrace} from '../../source/ledger/checkpoint.ts';
import {openLedger} from '../../source/ledger/ledger.ts';
import {reduce} from '../../source/ledger/reduce.ts';
import type {Appended, Bucket, Bus} from '../../source/ports/bus.ts';

/**
 * Wraps the bus and records breaches as they are written: in acknowledgements, checkpoints and the note of
 * live traces.
 */
export const watchBus = (bus: Bus, breaches: string[]): Bus => {
	const folds = createFolds(bus);
	const acknowledged = new Map<string, number>();

	const judgeCheckpoint = async (text: string): Promise<void> => {
		const trace = decodeTrace(text);
		if (trace === undefined) return;
		const folded = await folds.at(trace.traceId, trace.sequence);
		if (!isDeepStrictEqual(trace, folded))
			breaches.push(`the checkpoint of ${trace.traceId} at ${trace.sequence} is not the fold of the log`);
	};
	const judgeAll = async (): Promise<void> => {
		const {traces, position} = await openLedger(bus);
		const [folded, last] = [await folds.all(), await bus.last()];
		if (position() !== last)
			breaches.push(`opened from its checkpoints the log ends at ${position()}, not ${last}`);
		for (const [traceId, trace] of folded) {
			if (!isDeepStrictEqual(traces().get(traceId), trace))
				breaches.push(
					`opened from its checkpoints ${traceId} is not the fold of the log at ${trace.sequence}`,
				);
		}
	};
	const watched = (name: string, bucket: Bucket): Bucket => {
		const judged = async <Result>(written: Promise<Result>, value: string): Promise<Result> => {
			const result = await written;
			if (name === 'ledger') await judgeCheckpoint(value);
			if (name.startsWith('ledger')) await judgeAll();
			return result;
		};
		return {
			...bucket,
			create: (key, value) => judged(bucket.create(key, value), value),
			update: (key, value, revision) => judged(bucket.update(key, value, revision), value),
		};
	};
	const judgeAppend = async (id: string, appended: Appended): Promise<Appended> => {
		if (!appended.ok) return appended;
		const known = acknowledged.get(id) ?? appended.sequence;
		acknowledged.set(id, appended.sequence);
		const isThere = (await folds.event(appended.sequence))?.id === id;
		if (!isThere || known !== appended.sequence)
			breaches.push(`${id} was acknowledged at ${appended.sequence} and is not there`);
		return appended;
	};
	return {
		...bus,
		append: async (event, options) => judgeAppend(options.id, await bus.append(event, options)),
		appendAll: async (events, after) => {
			const appended = await bus.appendAll(events, after);
			return judgeAppend(events.at(-1)?.id ?? '', appended);
		},
		bucket: name => watched(name, bus.bucket(name)),
	};
};

/** Returns every state that a log has gone through, folded once from its start. */
const createFolds = (bus: Bus) => {
	const events: StoredEvent[] = [];
	const states = new Map<string, Trace[]>();
	const catchUp = async (): Promise<void> => {
		for await (const batch of bus.read({after: events.length})) {
			for (const event of batch) {
				const past = states.get(event.traceId) ?? [];
				states.set(event.traceId, past);
				past.push(reduce(past.at(-1) ?? emptyTrace(event.traceId), event));
				events.push(event);
			}
		}
	};
	return {
		event: async (sequence: number) => {
			await catchUp();
			return events[sequence - 1];
		},
		at: async (traceId: string, sequence: number) => {
			await catchUp();
			return states.get(traceId)?.find(trace => trace.sequence === sequence);
		},
		all: async () => {
			await catchUp();
			return new Map(
				[...states].flatMap(([traceId, past]) => past.slice(-1).map(trace => [traceId, trace] as const)),
			);
		},
	};
};
