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
	const {difference, extra, events, others} = await compareUpTo(Number.POSITIVE_INFINITY, {
		source,
		target,
		signal,
	});
	if (difference !== undefined) throw differs(target, difference.sequence, difference.how);
	const [unknown] = await unknownIn(source, extra);
	if (unknown !== undefined) throw differs(target, unknown, 'is not in the log');
	await target.drop(extra);
	return {events, others};
};

/**
 * True if all that the target has is in the source, and the target lacks only what comes after its last
 * event. Then it was the same log before. It may still have events that the source forgot since.
 */
export const isBeginning = async (target: RawLog, source: RawLog, signal: AbortSignal): Promise<boolean> => {
	const last = await target.last();
	if (last > (await source.last())) return false;
	const {difference, extra} = await compareUpTo(last, {source, target, signal});
	return difference === undefined && (await unknownIn(source, extra)).length === 0;
};

/** Of these sequences, which the source lacks, those that it did not forget on purpose. */
const unknownIn = async (source: RawLog, extra: readonly number[]): Promise<readonly number[]> =>
	extra.length === 0
		? []
		: without(withSequences([], extra), await readForgotten(source)).map(([first]) => first);

type Comparison = Compared & {
	/** Sequences of events that only the target has. */
	readonly extra: readonly number[];
	/** The first other difference. What follows it was not compared. */
	readonly difference: {readonly sequence: number; readonly how: string} | undefined;
};

type Logs = {readonly source: RawLog; readonly target: RawLog; readonly signal: AbortSignal};

/** Compares the events of two logs up to a sequence of the source. */
const compareUpTo = async (last: number, {source, target, signal}: Logs): Promise<Comparison> => {
	const others: [number, number][] = [];
	const note = (sequence: number) => void others.push([sequence, sequence]);
	const [left, right] = [eventsOf(source, signal, note), eventsOf(target, signal)];
	const readLeft = async () => {
		const next = await left.next();
		return next !== undefined && next.sequence <= last ? next : undefined;
	};
	const extra: number[] = [];
	let events = 0;
	const result = (difference?: Comparison['difference']) => ({
		...{events, others: united(others), extra, difference},
	});
	let [one, other] = [await readLeft(), await right.next()];
	while (one !== undefined || other !== undefined) {
		const order = (one?.sequence ?? Number.POSITIVE_INFINITY) - (other?.sequence ?? Number.POSITIVE_INFINITY);
		if (order > 0 && other !== undefined) {
			extra.push(other.sequence);
			other = await right.next();
			continue;
		}
		if (one === undefined) break;
		if (other === undefined || order < 0) return result({sequence: one.sequence, how: 'is missing'});
		if (!isSame(one, other)) return result({sequence: one.sequence, how: 'is another one'});
		events += 1;
		[one, other] = [await readLeft(), await right.next()];
	}
	return result();
};

/** The target may have events that an older hive wrote there without a checksum. */
const isSame = (one: KeptEvent, other: KeptEvent): boolean =>
	one.previous === other.previous &&
	other.sum !== 'wrong' &&
	JSON.stringify(one.event) === JSON.stringify(other.event);

const differs = (target: RawLog, sequence: number, how: string) =>
	new HiveError('log_damaged', {
		message: `The copy at ${target.bus.address} differs from the log: its event ${sequence} ${how}. The log stays where it is.`,
		hint: 'Run "hive bus move" again with --replace: it makes the copy anew. If this fails again, check the log with "hive bus verify".',
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
