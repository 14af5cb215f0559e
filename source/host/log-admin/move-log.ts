import {HiveError, refusalOf} from '../../domain/errors.ts';
import {type LogMark, markedLogError} from '../../domain/log-mark.ts';
import {type Ranges, rangesIn, united} from '../../domain/ranges.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {copyBuckets, copyTexts} from './copy-beside.ts';
import {compareEvents, copyEvents} from './copy-events.ts';

export type LogMove = {
	readonly source: RawLog;
	readonly target: RawLog;
	/** Names the source in the mark of an incomplete copy. No other log has the same name. */
	readonly from: string;
	/** The mark of the source after it is closed. */
	readonly moved: LogMark & {readonly state: 'moved'};
	/** Id of this checkout. */
	readonly checkout: string;
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
 * removed last (docs/architecture.md §2). Throws `bus_not_empty`, `log_moved` if the source was moved
 * elsewhere, and `log_damaged` if a log or a copy is wrong. After `log_damaged` the source stays open.
 */
export const moveLog = async (move: LogMove): Promise<Moved> => {
	const {source, target, from, moved, signal} = move;
	const isClosed = await expectMovable(source, moved);
	const begun = await readBegun(move, isClosed);
	if (begun === 'over') return {...(await countOf(target)), wasOver: true};
	if (!isClosed) await move.expectQuiet();
	if (begun === 'no' && !(await target.begin({state: 'copying', from}))) throw await notEmpty(target);
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

/** True if the source is already closed for this same move. */
const expectMovable = async (source: RawLog, moved: LogMove['moved']): Promise<boolean> => {
	const mark = await source.mark();
	if (mark === undefined) return false;
	if (mark.state === 'moved' && mark.to === moved.to && mark.of === moved.of) return true;
	throw markedLogError(source.bus.address, mark);
};

/** Whether this move was begun before; `over` if nothing is left to copy. */
const readBegun = async ({target, from}: LogMove, isClosed: boolean): Promise<'no' | 'yes' | 'over'> => {
	const mark = await target.mark();
	if (mark?.state === 'copying' && mark.from === from) return 'yes';
	if (mark !== undefined) throw await notEmpty(target, mark);
	if (await isEmpty(target)) return 'no';
	if (isClosed) return 'over';
	throw await notEmpty(target);
};

const isEmpty = async (log: RawLog): Promise<boolean> => {
	if ((await log.last()) > 0 || (await log.hashes()).length > 0) return false;
	if (!(await log.buckets()).includes('ledger')) return true;
	return (await log.bus.bucket('ledger').entries()).length === 0;
};

const notEmpty = async (log: RawLog, mark?: LogMark): Promise<HiveError> => {
	const {address, isShared} = log.bus;
	const what =
		mark === undefined
			? 'has a log of this colony'
			: mark.state === 'copying'
				? `has an unfinished copy of another log, from ${mark.from}`
				: `has the old log of this colony, which was moved to ${mark.to}`;
	return new HiveError('bus_not_empty', {
		message: `${isShared ? `The bus at ${address}` : 'The embedded store of this checkout'} ${what}; nothing was changed.`,
		hint: `If it is no longer needed, ${await log.removal()}, then run this command again.`,
	});
};

const countOf = async (log: RawLog): Promise<MovedLog> => {
	let events = 0;
	for await (const batch of log.kept(0)) events += batch.filter(({event}) => event !== undefined).length;
	return {events, values: 0, texts: (await log.hashes()).length};
};
