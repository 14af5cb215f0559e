import type {ActionContext} from '../../actions/context.ts';
import {createDoing, type DoingReader} from '../../agents/doing.ts';
import {createRedactor, type Redactor} from '../../domain/redact.ts';
import type {Following as LogFollowing} from '../../runs/follow-log.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {type LogForm, readerOf, readOutput} from '../logs/read-output.ts';
import {pause} from '../pause.ts';
import type {Doings, RunDoing} from '../views/doing.ts';
import {type OpenRun, openRunsOf} from '../views/run.ts';
import type {Following} from './follow-colony.ts';

/** Of an output longer than `above`, only the last `bytes` are read. Its usage is then unknown. */
const endOfLong = {above: 2 * 1024 * 1024, bytes: 64 * 1024};
/** Minimum interval between looks at a run that writes all the time. */
const restMilliseconds = 250;

type Watching = Pick<Following, 'context' | 'host'> & {
	readonly ledger: Pick<Following['ledger'], 'traces'>;
	/** Calls when the ledger has moved, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly signal: AbortSignal;
	readonly call: (doings: Doings) => void;
};

/**
 * Follows the activities of this checkout's live runs: calls with all of them whenever one changes. Each
 * output is read once, as the file system notifies of its growth. There is no polling.
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
		// An unreadable run is skipped; its log shows the reason.
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

/** Reads the output of one run as it grows, until the signal is aborted. */
const followOne = async (
	{context, host}: Pick<Watching, 'context' | 'host'>,
	open: OpenRun,
	signal: AbortSignal,
	show: (doing: RunDoing) => void,
): Promise<void> => {
	const {files, colony, clock} = context;
	const redact = createRedactor(await host.secrets());
	let wasFrozen = false;
	const caughtUp = async (): Promise<void> => {
		const {hasGrown, doing} = await reading.look();
		const isFrozen = doing.isFrozen === true;
		if (signal.aborted || (!hasGrown && isFrozen === wasFrozen)) return;
		wasFrozen = isFrozen;
		show({...doing, spokeAt: doing.spokeAt ?? clock.now()});
		await pause(clock, signal, restMilliseconds);
	};
	const reading = await openDoing({files, colony, redact}, open, {signal, caughtUp});
	await reading.read();
};

type Look = {
	/** True if the run has written since the last look. */
	readonly hasGrown: boolean;
	/** Without `spokeAt` if there is no output. */
	readonly doing: Omit<RunDoing, 'spokeAt'> & Partial<Pick<RunDoing, 'spokeAt'>>;
};

const openDoing = async (
	{files, colony, redact = text => text}: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	{traceId, run}: OpenRun,
	follow?: Omit<LogFollowing, 'folder'>,
) => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const path = runPath(folder, run.interactive ? 'transcript' : 'stdout');
	const output = await readOutput(files, folder, {isSession: run.interactive, last: endOfLong, follow});
	let reader: DoingReader | undefined;
	let hasGrown = false;
	return {
		read: async (): Promise<void> => {
			for await (const bytes of output.bytes) {
				hasGrown = true;
				reader ??= createDoingOf(await output.form(), redact);
				reader.push(bytes);
			}
		},
		look: async (): Promise<Look> => {
			const grown = hasGrown;
			hasGrown = false;
			const {used, ...at} = reader?.now() ?? silent;
			const isFrozen = (await files.size(runPath(folder, 'frozen'))) !== undefined;
			const spokeAt = await files.writtenAt(path);
			const doing = {
				...at,
				...(isFrozen && {isFrozen}),
				...(output.start() === 0 && used !== undefined && {used}),
				...(spokeAt !== undefined && {spokeAt}),
			};
			return {hasGrown: grown, doing};
		},
	};
};

const createDoingOf = ({writer, workspace}: LogForm, redact: Redactor): DoingReader =>
	createDoing(readerOf(writer), {workspace, redact});

/** The activity of a run that has written nothing. */
const silent: ReturnType<DoingReader['now']> = {about: ''};

/** Maximum number of outputs that are read at the same time. */
const readTogether = 8;

/** Returns the current activities of these runs of this checkout, each from the end of its output. */
export const readDoings = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	open: readonly OpenRun[],
): Promise<Doings> => {
	const doings = new Map<string, RunDoing>();
	for (let first = 0; first < open.length; first += readTogether)
		await Promise.all(
			open.slice(first, first + readTogether).map(async one => {
				// An unreadable run is skipped; its log shows the reason.
				const doing = await readOne(context, one).catch(() => undefined);
				if (doing !== undefined) doings.set(one.run.agentId, doing);
			}),
		);
	return doings;
};

const readOne = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	open: OpenRun,
): Promise<RunDoing | undefined> => {
	const reading = await openDoing(context, open);
	await reading.read();
	const {hasGrown, doing} = await reading.look();
	const {spokeAt} = doing;
	return spokeAt === undefined || !(hasGrown || doing.isFrozen) ? undefined : {...doing, spokeAt};
};
