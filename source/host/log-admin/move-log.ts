import {HiveError, refusalOf} from '../../domain/errors.ts';
import {type LogMark, markedLogError} from '../../domain/log-mark.ts';
import {type Ranges, rangesIn, united} from '../../domain/ranges.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {copyBuckets, copyTexts} from './copy-beside.ts';
import {compareEvents, copyEvents, isBeginning} from './copy-events.ts';

export type LogMove = {
	readonly source: RawLog;
	readonly target: RawLog;
	/** Names the source in the mark of an incomplete copy. No other log has the same name. */
	readonly from: string;
	/** The mark of the source after it is closed. */
	readonly moved: LogMark & {readonly state: 'moved'};
	/** Id of this checkout. */
	readonly checkout: string;
	/** True to remove a closed log or a copy from the target. An open log with events is never removed. */
	readonly replace: boolean;
	/**
	 * Throws `log_in_use` while a process works on the source. Called before anything is written, and not if
	 * the source is already closed.
	 */
	readonly expectQuiet: () => Promise<void>;
	/** Checked between two batches. */
	readonly signal: AbortSignal;
};

/** Number of moved events, bucket values and large texts. */
export type MovedLog = {readonly events: number; readonly values: number; readonly texts: number};

type Moved = MovedLog & {
	/** True if the copy was already complete. */
	readonly wasOver: boolean;
};

/**
 * Copies a log with everything beside it, and closes it. Each step may be interrupted and repeated. The copy
 * is marked until it is complete. The source is closed before the copy is compared. The copy's mark is
 * removed last (docs/architecture.md §2). A target that was this log before, and was closed by a move, takes
 * only the events that it lacks. Throws `bus_not_empty`, `log_moved` if the log was moved elsewhere, and
 * `log_damaged` if a log or a copy is wrong. After `log_damaged` the source stays open.
 */
export const moveLog = async (move: LogMove): Promise<Moved> => {
	const {source, target, from, moved, signal} = move;
	const isClosed = await expectMovable(source, moved);
	const begun = await readBegun(move, isClosed);
	if (begun === 'over') return {...(await countOf(target)), wasOver: true};
	if (!isClosed) await move.expectQuiet();
	const mark = {state: 'copying', from} as const;
	if (begun === 'closed') await target.resume(mark);
	if (begun === 'unneeded') await target.clear();
	if ((begun === 'no' || begun === 'unneeded') && !(await target.begin(mark))) throw notEmpty(target);
	await copyEvents(source, target, signal);
	await copyTexts(source, target, signal);
	await source.shut(moved);
	try {
		await copyEvents(source, target, signal);
		const values = await copyBuckets(source, target, move.checkout);
		const texts = await copyTexts(source, target, signal);
		const {events, others} = await compareEvents(source, target, signal);
		await noteOthers(target, others);
		await target.open();
		return {events, values, texts, wasOver: false};
	} catch (error) {
		// The copy is still marked, so nothing has been written to it.
		if (refusalOf(error)?.code === 'log_damaged') await source.open();
		throw error;
	}
};

/**
 * Records these ranges, so that the gaps are not taken for lost events. If the log was moved before, the
 * earlier ranges are kept.
 */
const noteOthers = async ({bus}: RawLog, others: Ranges): Promise<void> => {
	if (others.length === 0) return;
	const bucket = bus.bucket('forgotten');
	const present = await bucket.get(ofOthers);
	const value = JSON.stringify(united([...rangesIn(present?.value ?? ''), ...others]));
	if (present === undefined) await bucket.create(ofOthers, value);
	else await bucket.update(ofOthers, value, present.revision);
};

/** Not a valid trace id, so it cannot collide with one. */
const ofOthers = '.others';

/** True if the source is already closed for this same move. Throws `log_moved` or `log_half_copied`. */
export const expectMovable = async (source: RawLog, moved: LogMove['moved']): Promise<boolean> => {
	const mark = await source.mark();
	if (mark === undefined) return false;
	if (mark.state === 'moved' && mark.to === moved.to && mark.of === moved.of) return true;
	throw markedLogError(source.bus.address, mark);
};

type Begun =
	/** The target is empty. */
	| 'no'
	/** The target is the unfinished copy of this move. */
	| 'yes'
	/** Nothing is left to copy. */
	| 'over'
	/** The target was this log before, and was closed by a move. */
	| 'closed'
	/** The target has data that the person wants to be removed. */
	| 'unneeded';

/** Reads how far this move is. Throws `bus_not_empty`, and `log_moved` if it is long over. */
const readBegun = async (move: LogMove, isClosed: boolean): Promise<Begun> => {
	const {source, target, from, replace, signal} = move;
	const mark = await target.mark();
	if (mark?.state === 'copying' && mark.from === from) return replace ? 'unneeded' : 'yes';
	if (mark === undefined && (await isEmpty(target))) return 'no';
	if (mark === undefined && isClosed) return 'over';
	// The move was completed, and the log went on from the target since.
	if (mark !== undefined && isClosed) throw markedLogError(target.bus.address, mark);
	if (mark?.state === 'moved' && (await isBeginning(target, source, signal))) return 'closed';
	if (mark === undefined && (await target.last()) > 0) throw notEmpty(target);
	if (replace) return 'unneeded';
	throw notEmpty(target, mark ?? 'rest');
};

const isEmpty = async (log: RawLog): Promise<boolean> => {
	if ((await log.last()) > 0 || (await log.hashes()).length > 0) return false;
	if (!(await log.buckets()).includes('ledger')) return true;
	return (await log.bus.bucket('ledger').entries()).length === 0;
};

/** @param found the mark of the target; `rest` if it has data of this colony, but no events */
const notEmpty = (log: RawLog, found?: LogMark | 'rest'): HiveError => {
	const {address, isShared} = log.bus;
	const way = isShared
		? 'name that server with HIVE_BUS_URL or bus.url in config.yaml'
		: 'set neither HIVE_BUS_URL nor bus.url in config.yaml';
	return new HiveError('bus_not_empty', {
		message: `${isShared ? `The bus at ${address}` : 'The embedded store of this checkout'} ${contentsOf(found)}; nothing was changed.`,
		hint:
			found === undefined
				? `To use it, ${way}. If it is no longer needed, ${log.removal}.`
				: 'If it is no longer needed, run this command again with --replace: that removes it.',
	});
};

const contentsOf = (found: LogMark | 'rest' | undefined): string => {
	if (found === undefined) return 'has an open log of this colony';
	if (found === 'rest') return 'has data of this colony without its events';
	return found.state === 'copying'
		? `has an unfinished copy of another log, from ${found.from}`
		: `has a closed log of this colony, which was moved to ${found.to} and has events that this log lacks`;
};

const countOf = async (log: RawLog): Promise<MovedLog> => {
	let events = 0;
	for await (const batch of log.kept(0)) events += batch.filter(({event}) => event !== undefined).length;
	return {events, values: 0, texts: (await log.hashes()).length};
};
