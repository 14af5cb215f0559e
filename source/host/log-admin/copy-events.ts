import {HiveError} from '../../domain/errors.ts';
import {type Ranges, united, without, withSequences} from '../../domain/ranges.ts';
import type {KeptEvent, RawLog} from '../../ports/raw-log.ts';
import {readForgotten} from './verify-events.ts';

/**
 * Copies the source's events after the target's last one, each under its sequence. Throws `log_damaged` if an
 * event is not as it was written.
 */
export const copyEvents = async (source: RawLog, target: RawLog, signal: AbortSignal): Promise<number> => {
	let copied = 0;
	for await (const batch of source.kept(await target.last())) {
		signal.throwIfAborted();
		const wrong = batch.find(({sum}) => sum === 'wrong');
		if (wrong !== undefined)
			throw new HiveError('log_damaged', {
				message: `Event ${wrong.sequence} of the log at ${source.bus.address} was changed after it was written; the copy ends before it.`,
			});
		const events = batch.filter(({event}) => event !== undefined);
		await target.put(events);
		copied += events.length;
	}
	await target.endAt(await source.last());
	return copied;
};

export type Compared = {
	readonly events: number;
	/**
	 * Ranges of the source that are not events but messages of other programs on a server. The copy has nothing
	 * there.
	 */
	readonly others: Ranges;
};

/**
 * Reads both logs and compares them event by event. Events that the source forgot after they were copied are
 * forgotten in the copy too. Throws `log_damaged` at the first other difference; otherwise returns the
 * totals.
 */
export const compareEvents = async (
	source: RawLog,
	target: RawLog,
	signal: AbortSignal,
): Promise<Compared> => {
	const others: [number, number][] = [];
	const note = (sequence: number) => void others.push([sequence, sequence]);
	const [left, right] = [eventsOf(source, signal, note), eventsOf(target, signal)];
	const extra: number[] = [];
	let count = 0;
	let [one, other] = [await left.next(), await right.next()];
	while (one !== undefined || other !== undefined) {
		const order = (one?.sequence ?? Number.POSITIVE_INFINITY) - (other?.sequence ?? Number.POSITIVE_INFINITY);
		if (order > 0 && other !== undefined) {
			extra.push(other.sequence);
			other = await right.next();
			continue;
		}
		if (one === undefined || other === undefined || order < 0)
			throw differs(target, one?.sequence, 'is missing');
		if (!isSame(one, other)) throw differs(target, one.sequence, 'is another one');
		count += 1;
		[one, other] = [await left.next(), await right.next()];
	}
	if (extra.length > 0) await dropForgotten(source, target, extra);
	return {events: count, others: united(others)};
};

const isSame = (one: KeptEvent, other: KeptEvent): boolean =>
	one.previous === other.previous &&
	other.sum === 'right' &&
	JSON.stringify(one.event) === JSON.stringify(other.event);

const dropForgotten = async (source: RawLog, target: RawLog, extra: readonly number[]): Promise<void> => {
	const [unknown] = without(withSequences([], extra), await readForgotten(source))[0] ?? [];
	if (unknown !== undefined) throw differs(target, unknown, 'is not in the log');
	await target.drop(extra);
};

const differs = (target: RawLog, sequence: number | undefined, how: string) =>
	new HiveError('log_damaged', {
		message: `The copy at ${target.bus.address} differs from the log: its event ${sequence} ${how}. The log stays where it is.`,
		hint: 'Remove the copy, and run "hive bus move" again. If this fails again, check the log with "hive bus verify".',
	});

/** Returns a reader of the readable events, one by one; undefined at the end. */
const eventsOf = (log: RawLog, signal: AbortSignal, noteOther = (_sequence: number): void => {}) => {
	const batches = log.kept(0)[Symbol.asyncIterator]();
	let batch: readonly KeptEvent[] = [];
	let index = 0;
	return {
		next: async (): Promise<KeptEvent | undefined> => {
			for (;;) {
				const kept = batch[index];
				index += 1;
				if (kept?.event !== undefined) return kept;
				if (kept !== undefined) {
					noteOther(kept.sequence);
					continue;
				}
				signal.throwIfAborted();
				const read = await batches.next();
				if (read.done) return undefined;
				batch = read.value;
				index = 0;
			}
		},
	};
};
