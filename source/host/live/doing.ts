import type {ActionContext} from '../../actions/context.ts';
import {createDoing} from '../../agents/doing.ts';
import {createRedactor} from '../../domain/redact.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {createLogReader} from '../../runs/read-log.ts';
import {createWaiter} from '../../runs/waiter.ts';
import {formOf, readerOf} from '../logs/run-log.ts';
import type {Doings, RunDoing} from '../views/doing.ts';
import {type OpenRun, openRunsOf} from '../views/run.ts';
import {createPause, type Following} from './follow-colony.ts';

/** Of an output that is longer only the end is read, in bytes: what it used is not known then. */
const mostRead = 2 * 1024 * 1024;
const endRead = 64 * 1024;
/** A run that writes all the time is looked at this often. */
const restMilliseconds = 250;

type Watching = Pick<Following, 'context' | 'host'> & {
	readonly ledger: Pick<Following['ledger'], 'traces'>;
	/** Calls when the ledger has moved, until the signal. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (doings: Doings) => void;
};

/**
 * What the live runs of this checkout are at: all of them, whenever one is at something else. Each output is read once, as the file
 * system tells that it grows, and nothing is asked while it does not.
 */
export const followDoing = ({context, host, ledger, moved, signal, call}: Watching): void => {
	const kept = new Map<string, AbortController>();
	let doings: Doings = new Map();
	const tell = (change: (next: Map<string, RunDoing>) => void): void => {
		const next = new Map(doings);
		change(next);
		doings = next;
		if (!signal.aborted) call(doings);
	};
	const keep = (open: OpenRun): void => {
		const over = new AbortController();
		const {agentId} = open.run;
		kept.set(agentId, over);
		const ends = AbortSignal.any([signal, over.signal]);
		const show = (doing: RunDoing): void => tell(next => void next.set(agentId, doing));
		// What cannot be read says nothing here: the log of the run says why.
		followOne({context, host}, open, ends, show).catch(() => {});
	};
	const look = (): void => {
		const open = [...ledger.traces().values()].flatMap(trace => openRunsOf(trace, context.checkout));
		const ids = new Set(open.map(({run}) => run.agentId));
		for (const [agentId, over] of kept) {
			if (ids.has(agentId)) continue;
			over.abort();
			kept.delete(agentId);
			if (doings.has(agentId)) tell(next => void next.delete(agentId));
		}
		for (const one of open) if (!kept.has(one.run.agentId)) keep(one);
	};
	look();
	moved(signal, look);
};

/** Reads the output of one run as it grows, until the signal. */
const followOne = async (
	{context: {files, colony, clock}, host}: Pick<Watching, 'context' | 'host'>,
	{traceId, run}: OpenRun,
	signal: AbortSignal,
	show: (doing: RunDoing) => void,
): Promise<void> => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const path = runPath(folder, run.interactive ? 'transcript' : 'stdout');
	const {wake, woken} = createWaiter(signal);
	const pause = createPause(clock, signal);
	files.watch(folder, signal, wake);
	const redact = createRedactor(await host.secrets());
	const size = (await files.size(path)) ?? 0;
	const isWhole = size <= mostRead;
	const log = createLogReader(files, path, isWhole ? 0 : size - endRead);
	let isTorn = !isWhole;
	let doing: ReturnType<typeof createDoing> | undefined;
	let wasFrozen = false;
	while (!signal.aborted) {
		let hasGrown = false;
		for await (const bytes of log.added()) {
			if (signal.aborted) return;
			hasGrown = true;
			doing ??= await openDoing();
			const start = isTorn ? bytes.indexOf(lineFeed) + 1 : 0;
			isTorn &&= start === 0;
			if (!isTorn) doing.push(bytes.subarray(start));
		}
		const frozen = await readFrozen(files, folder);
		const isFrozen = frozen.isFrozen === true;
		if (hasGrown || isFrozen !== wasFrozen) {
			wasFrozen = isFrozen;
			const {used, ...at} = doing?.now() ?? silent;
			const spokeAt = (await files.writtenAt(path)) ?? clock.now();
			show({...at, ...frozen, ...(isWhole && used !== undefined && {used}), spokeAt});
			await pause(restMilliseconds);
		}
		await woken();
	}

	/** The directory says who writes by the time that something is written. */
	async function openDoing() {
		const {writer, workspace} = await formOf(files, folder);
		return createDoing(readerOf(writer), {workspace, redact});
	}
};

const lineFeed = 0x0a;

/** What a run is at that has written nothing. */
const silent: Pick<RunDoing, 'about' | 'used'> = {about: ''};

const readFrozen = async (
	files: Pick<ActionContext['files'], 'size'>,
	folder: string,
): Promise<Pick<RunDoing, 'isFrozen'>> =>
	(await files.size(runPath(folder, 'frozen'))) === undefined ? {} : {isFrozen: true};

/** Runs whose outputs are read at the same time. */
const readTogether = 8;

/** What these runs of this checkout are at now, each by the end of its output. */
export const readDoings = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	open: readonly OpenRun[],
): Promise<Doings> => {
	const doings = new Map<string, RunDoing>();
	for (let first = 0; first < open.length; first += readTogether)
		await Promise.all(
			open.slice(first, first + readTogether).map(async one => {
				// One that cannot be read says nothing here: its log says why.
				const doing = await readOne(context, one).catch(() => undefined);
				if (doing !== undefined) doings.set(one.run.agentId, doing);
			}),
		);
	return doings;
};

const readOne = async (
	{files, colony, redact = text => text}: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	{traceId, run}: OpenRun,
): Promise<RunDoing | undefined> => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const path = runPath(folder, run.interactive ? 'transcript' : 'stdout');
	const [size = 0, spokeAt] = [await files.size(path), await files.writtenAt(path)];
	const frozen = await readFrozen(files, folder);
	if (spokeAt === undefined || (size === 0 && !frozen.isFrozen)) return undefined;
	const isWhole = size <= mostRead;
	const from = isWhole ? 0 : size - endRead;
	const [bytes, {writer, workspace}] = [
		await files.readBytes(path, from, size - from),
		await formOf(files, folder),
	];
	const doing = createDoing(readerOf(writer), {workspace, redact});
	doing.push(isWhole ? bytes : bytes.subarray(bytes.indexOf(lineFeed) + 1));
	const {used, ...at} = doing.now();
	return {...at, ...frozen, ...(isWhole && used !== undefined && {used}), spokeAt};
};
