import {HiveError, refusalOf} from '../../domain/errors.ts';
import {type LogMark, markedLog} from '../../domain/log-mark.ts';
import {type Ranges, rangesIn, united} from '../../domain/ranges.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {copyBuckets, copyTexts} from './copy-beside.ts';
import {compareEvents, copyEvents} from './copy-events.ts';

export type LogMove = {
	readonly source: RawLog;
	readonly target: RawLog;
	/** What the copy names as its source while it is not whole: no other log has it. */
	readonly from: string;
	/** What the source names when it is closed. */
	readonly moved: LogMark & {readonly state: 'moved'};
	/** Id of this checkout. */
	readonly checkout: string;
	/**
	 * Throws `log_in_use` while somebody works on the source. Asked before anything is written, and not of one
	 * that is closed.
	 */
	readonly expectQuiet: () => Promise<void>;
	/** Between two batches. */
	readonly signal: AbortSignal;
};

/** How much was moved: events, values of buckets, large texts. */
export type MovedLog = {readonly events: number; readonly values: number; readonly texts: number};

type Moved = MovedLog & {
	/** The copy was whole before. */
	readonly wasOver: boolean;
};

/**
 * Copies a log with all beside it and closes it, in an order in which each step may be cut and repeated: the
 * copy is marked until it is whole, the source is closed before the copy is compared, and the copy's mark
 * goes last (docs/architecture.md §2). Throws `bus_not_empty`, `log_moved` of a source that went elsewhere,
 * and `log_damaged` of a log or a copy that is not right: the source then stays open.
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
		// The copy is marked still, so nobody has written to it.
		if (refusalOf(error)?.code === 'log_damaged') await source.open();
		throw error;
	}
};

/**
 * So that nobody takes the gaps for lost events. Where the log was moved before, there are those of then too.
 */
const noteOthers = async ({bus}: RawLog, others: Ranges): Promise<void> => {
	if (others.length === 0) return;
	const bucket = bus.bucket('forgotten');
	const present = await bucket.get(ofOthers);
	const value = JSON.stringify(united([...rangesIn(present?.value ?? ''), ...others]));
	if (present === undefined) await bucket.create(ofOthers, value);
	else await bucket.update(ofOthers, value, present.revision);
};

/** No trace has such an id. */
const ofOthers = '.others';

/** Whether it is closed already, for this very move. */
const expectMovable = async (source: RawLog, moved: LogMove['moved']): Promise<boolean> => {
	const mark = await source.mark();
	if (mark === undefined) return false;
	if (mark.state === 'moved' && mark.to === moved.to && mark.of === moved.of) return true;
	throw markedLog(source.bus.address, mark);
};

/** Whether this move was begun before; `over` when nothing of it is left to copy. */
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
				? `has a copy that was begun of another log, that at ${mark.from}`
				: `has the log of this colony as it was when it was moved away, to ${mark.to}`;
	return new HiveError('bus_not_empty', {
		message: `${isShared ? `The bus at ${address}` : 'The embedded store of this checkout'} ${what}; nothing was changed.`,
		hint: `Once nobody needs it, ${await log.removal()}, then run this again.`,
	});
};

const countOf = async (log: RawLog): Promise<MovedLog> => {
	let events = 0;
	for await (const batch of log.kept(0)) events += batch.filter(({event}) => event !== undefined).length;
	return {events, values: 0, texts: (await log.hashes()).length};
};
