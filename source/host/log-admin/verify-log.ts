import {createHash} from 'node:crypto';
import {relative} from 'node:path';
import {refusalOf} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {badIdMessage} from '../../domain/event-ids.ts';
import {isName} from '../../domain/ids.ts';
import {emptyTrace} from '../../domain/trace.ts';
import {readLive} from '../../ledger/checkpoint-store.ts';
import {Draft} from '../../ledger/draft.ts';
import {foldInto} from '../../ledger/reduce.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';
import type {RawLog} from '../../ports/raw-log.ts';
import {missingInLog, newestSequence, type OwnCheckout} from '../../runs/newest-event.ts';
import {type CheckpointFlaw, createCheckpointCheck} from './verify-checkpoints.ts';
import {createEventCheck, type EventFlaw} from './verify-events.ts';
import {verifyFiles} from './verify-files.ts';
import {createLandingCheck, type LandingFlaw, type LandingVerified} from './verify-landings.ts';

/** One flaw of a log, or of something derived from it. */
type LogFinding = {
	readonly about: 'event' | 'checkpoint' | 'file' | 'text' | 'store' | 'landing';
	/** Its place: sequences of events, a trace, a path below the root, a hash, or a commit. */
	readonly where: string;
	readonly message: string;
	/** The next step. */
	readonly fix: string;
};

/** Counts of what was checked, and every finding. */
export type LogVerified = {
	/** Address of the log as it is shown to people. */
	readonly address: string;
	readonly events: number;
	/** Events with a checksum; the others are older than checksums. */
	readonly sums: number;
	readonly traces: number;
	readonly checkpoints: number;
	readonly files: number;
	readonly texts: number;
	/** Every merge that the log has, oldest first. */
	readonly landings: readonly LandingVerified[];
	readonly findings: readonly LogFinding[];
};

/**
 * Reads a whole log and checks it against its checksums, against the checkpoints and files derived from it,
 * and its merges against the commits of this clone. Changes nothing. A reactor may be at work.
 */
export const verifyLog = async (
	log: RawLog,
	files: Files,
	git: Git,
	own: OwnCheckout,
): Promise<LogVerified> => {
	const {root} = own;
	let isReadable = true;
	// One unreadable event would keep the bus from reading all others in its batch.
	const bus: Bus = {
		...log.bus,
		read: options => (isReadable ? log.bus.read(options) : readKept(log, options)),
	};
	const damage = damageHint(bus);
	const findings: LogFinding[] = (await log.faults()).map(problem => ({
		...{about: 'store', where: bus.address, message: `The store says: ${problem}.`, fix: damage},
	}));
	const last = await log.last();
	const newest = await newestSequence(files, own);
	const check = createEventCheck(log);
	const checkpoints = await createCheckpointCheck(bus);
	const landed = createLandingCheck();
	const drafts = new Map<string, Draft>();
	const texts = new Map<string, string>();
	const counts = {events: 0, sums: 0};
	const fold = (event: StoredEvent): void => {
		const flaw = badIdMessage(event);
		if (flaw !== undefined) findings.push(idFinding(event, flaw));
		if (!isName(event.traceId)) return;
		const draft = drafts.get(event.traceId) ?? new Draft(emptyTrace(event.traceId));
		drafts.set(event.traceId, draft);
		checkpoints.checkTrace(draft.trace, event.sequence);
		foldInto(draft, event);
		landed.checkTrace(draft.trace, event);
		const {ref} = event.payload;
		if (typeof ref === 'string' && /^[0-9a-f]{64}$/.test(ref)) texts.set(ref, event.traceId);
	};
	try {
		for await (const batch of log.kept(0))
			for (const kept of batch) {
				check.checkEvent(kept);
				if (kept.event === undefined && kept.sum === 'wrong') isReadable = false;
				if (kept.sum === 'right') counts.sums += 1;
				if (kept.event === undefined) continue;
				counts.events += 1;
				fold(kept.event);
			}
	} catch (error) {
		const refusal = refusalOf(error);
		if (refusal?.code !== 'bus_unreachable' || bus.isShared) throw error;
		findings.push({about: 'store', where: bus.address, message: refusal.message, fix: damage});
	}
	const traces = new Map([...drafts].map(([traceId, draft]) => [traceId, draft.trace]));
	findings.push(...(await check.flaws(last)).map(flaw => eventFinding(flaw, damage)));
	const lacks = await missingInLog(bus, files, own);
	if (lacks !== undefined)
		findings.push({
			about: 'event',
			where: `${newest}`,
			message: `The log lacks its newest event: ${lacks}.`,
			fix: damage,
		});
	findings.push(...(await checkpoints.flaws(traces)).map(flaw => checkpointFinding(flaw, damage)));
	const live = await readLive(bus);
	if (live !== undefined && live.sequence > (await bus.last()))
		findings.push({
			...{about: 'checkpoint', where: 'ledger-live', fix: damage},
			message: `The note of live traces is of event ${live.sequence}, which the log does not have.`,
		});
	let checked = 0;
	for (const trace of traces.values()) {
		const {count, wrong} = await verifyFiles({files, bus, root, newest}, trace);
		checked += count;
		for (const path of wrong) findings.push(fileFinding(relative(root, path)));
	}
	for (const [hash, traceId] of texts) {
		const finding = await verifyText(bus, hash, traceId, damage);
		if (finding !== undefined) findings.push(finding);
	}
	const {landings, flaws} = await landed.compare(git, root);
	findings.push(...flaws.map(landingFinding));
	return {
		...{address: bus.address, ...counts, landings, findings},
		...{traces: traces.size, checkpoints: checkpoints.count, files: checked, texts: texts.size},
	};
};

const readKept = async function* (log: RawLog, {traceId, after}: Parameters<Bus['read']>[0]) {
	for await (const batch of log.kept(after))
		yield batch.flatMap(({event}) =>
			event === undefined || (traceId ?? event.traceId) !== event.traceId ? [] : [event],
		);
};

const damageHint = ({isShared}: Bus): string =>
	isShared
		? 'Stop every hive process of this colony, then restore its streams from a backup.'
		: 'Stop every hive process here, then restore the log and its -wal file from a backup.';

const eventFinding = ({first, last, traceId, how}: EventFlaw, fix: string): LogFinding => {
	const which = first === last ? `Event ${first}` : `Events ${first} to ${last}`;
	const of = traceId === undefined ? '' : ` of ${traceId}`;
	const what = {
		changed: 'was changed after it was written',
		missing: first === last ? 'is missing' : 'are missing',
		misplaced: 'does not follow the event before it',
	}[how];
	return {
		about: 'event',
		where: first === last ? `${first}` : `${first}-${last}`,
		message: `${which}${of} ${what}.`,
		fix,
	};
};

const idFinding = ({sequence}: StoredEvent, flaw: string): LogFinding => ({
	...{about: 'event', where: `${sequence}`, message: `Event ${sequence} is left out: ${flaw}.`},
	fix: 'hive ignores it. Find out which program wrote it: hive writes no such event.',
});

const rebuilt =
	'Stop the reactors of the colony and run "hive bus verify --rebuild", which makes it again from the log.';

const checkpointFinding = ({traceId, how, sequence}: CheckpointFlaw, damage: string): LogFinding => {
	const what = {
		torn: 'cannot be read',
		ahead: `is of event ${sequence}, which the log does not have`,
		other: `differs from the state after event ${sequence}`,
	}[how];
	return {
		...{about: 'checkpoint', where: traceId, message: `The checkpoint of ${traceId} ${what}.`},
		fix: how === 'ahead' ? damage : rebuilt,
	};
};

const fileFinding = (path: string): LogFinding => ({
	...{about: 'file', where: path, message: 'The file is missing, or differs from the log.'},
	fix: '"hive bus verify --rebuild" or "hive doctor --rebuild" writes it again from the log.',
});

const landingFinding = ({traceId, commit, tree, found, checkedBy}: LandingFlaw): LogFinding => {
	const short = (id: string): string => id.slice(0, 12);
	const was = checkedBy === undefined ? 'approved' : 'checked';
	return {
		...{about: 'landing', where: short(commit)},
		message: `The merge of ${traceId} has the tree ${short(found)}, but ${short(tree)} was ${was}.`,
		fix: `Look at "git show ${short(commit)}", and run the checks on it. hive makes no such commit.`,
	};
};

const verifyText = async (
	bus: Bus,
	hash: string,
	traceId: string,
	fix: string,
): Promise<LogFinding | undefined> => {
	const text = await bus.blobs.get(hash);
	if (text !== undefined && createHash('sha256').update(text).digest('hex') === hash) return undefined;
	// It may have been purged with its trace meanwhile.
	if (text === undefined && !(await isNamed(bus, hash, traceId))) return undefined;
	const what = text === undefined ? 'is missing' : 'was changed after it was written';
	return {about: 'text', where: hash, message: `A large text of ${traceId} ${what}.`, fix};
};

const isNamed = async (bus: Bus, hash: string, traceId: string): Promise<boolean> => {
	for await (const events of bus.read({traceId, after: 0}))
		if (events.some(({payload}) => payload.ref === hash)) return true;
	return false;
};
