import type {ActionContext} from '../../actions/context.ts';
import {type ActivityReader, createActivityReader} from '../../agents/activity.ts';
import {createRedactor, type Redactor} from '../../domain/redact.ts';
import type {Following as LogFollowing} from '../../runs/follow-log.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {type LogForm, readerOf, readOutput} from '../logs/read-output.ts';
import {pause} from '../pause.ts';
import type {RunActivities, RunActivity} from '../views/activity.ts';
import {type OpenRun, openRunsOf} from '../views/run.ts';
import type {FollowOptions} from './follow-colony.ts';
import type {Inspections} from './inspections.ts';

/** Of an output longer than `above`, only the last `bytes` are read. Its usage is then unknown. */
const endOfLong = {above: 2 * 1024 * 1024, bytes: 64 * 1024};
/** Minimum interval between readings of a run that writes all the time, in milliseconds. */
const minIntervalMs = 250;

type ActivityFeedOptions = Pick<FollowOptions, 'context' | 'host'> & {
	readonly ledger: Pick<FollowOptions['ledger'], 'traces'>;
	/** Calls `call` after each change of the ledger, until the signal is aborted. */
	readonly moved: (signal: AbortSignal, call: () => void) => void;
	readonly inspections?: Pick<Inspections, 'touchedBy' | 'onChange' | 'forget'>;
	readonly signal: AbortSignal;
	readonly call: (activities: RunActivities) => void;
};

/**
 * Follows the activities of this checkout's live runs: passes all of them to `call` whenever one changes.
 * Each output is read once, as the file system notifies of its growth. There is no polling.
 */
export const followActivities = ({
	context,
	host,
	ledger,
	moved,
	inspections,
	signal,
	call,
}: ActivityFeedOptions): void => {
	const kept = new Map<string, {readonly over: AbortController; readonly startedAt: string}>();
	let activities: RunActivities = new Map();
	const publish = (change: (next: Map<string, RunActivity>) => void): void => {
		const next = new Map(activities);
		change(next);
		activities = next;
		if (!signal.aborted) call(activities);
	};
	const startFollowing = (open: OpenRun): void => {
		const over = new AbortController();
		const {agentId, startedAt} = open.run;
		kept.set(agentId, {over, startedAt});
		const ends = AbortSignal.any([signal, over.signal]);
		const show = (activity: RunActivity): void => {
			const touched = inspections?.touchedBy(agentId);
			publish(next => void next.set(agentId, {...activity, ...(touched && {touched})}));
		};
		// An unreadable run is skipped; its log shows the reason.
		followOne({context, host}, open, ends, show).catch(() => {});
	};
	const syncRuns = (): void => {
		const open = [...ledger.traces().values()].flatMap(trace => openRunsOf(trace, context.checkout));
		const ids = new Set(open.map(({run}) => run.agentId));
		for (const [agentId, {over}] of kept) {
			if (ids.has(agentId)) continue;
			over.abort();
			kept.delete(agentId);
			inspections?.forget(agentId);
			if (activities.has(agentId)) publish(next => void next.delete(agentId));
		}
		for (const one of open) if (!kept.has(one.run.agentId)) startFollowing(one);
	};
	const showTouched = (agentId: string): void => {
		const touched = inspections?.touchedBy(agentId);
		const run = kept.get(agentId);
		if (touched === undefined || run === undefined) return;
		publish(next => {
			const activity = next.get(agentId) ?? {about: '', spokeAt: Date.parse(run.startedAt)};
			next.set(agentId, {...activity, touched});
		});
	};
	syncRuns();
	moved(signal, syncRuns);
	inspections?.onChange(signal, showTouched);
};

/** Reads the output of one run as it grows, until the signal is aborted. */
const followOne = async (
	{context, host}: Pick<ActivityFeedOptions, 'context' | 'host'>,
	open: OpenRun,
	signal: AbortSignal,
	show: (activity: RunActivity) => void,
): Promise<void> => {
	const {files, colony, clock} = context;
	const redact = createRedactor(await host.secrets());
	let wasFrozen = false;
	const caughtUp = async (): Promise<void> => {
		const {hasGrown, activity} = await reading.readActivity();
		const isFrozen = activity.isFrozen === true;
		if (signal.aborted || (!hasGrown && isFrozen === wasFrozen)) return;
		wasFrozen = isFrozen;
		show({...activity, spokeAt: activity.spokeAt ?? clock.now()});
		await pause(clock, signal, minIntervalMs);
	};
	const reading = await openActivity({files, colony, redact}, open, {signal, caughtUp});
	await reading.read();
};

type ActivityReading = {
	/** True if the run has written since the last look. */
	readonly hasGrown: boolean;
	/** Without `spokeAt` if there is no output. */
	readonly activity: Omit<RunActivity, 'spokeAt'> & Partial<Pick<RunActivity, 'spokeAt'>>;
};

const openActivity = async (
	{files, colony, redact = text => text}: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	{traceId, run}: OpenRun,
	follow?: Omit<LogFollowing, 'folder'>,
) => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const path = runPath(folder, run.interactive ? 'transcript' : 'stdout');
	const output = await readOutput(files, folder, {isSession: run.interactive, last: endOfLong, follow});
	let reader: ActivityReader | undefined;
	let hasGrown = false;
	return {
		read: async (): Promise<void> => {
			for await (const bytes of output.bytes) {
				hasGrown = true;
				reader ??= createReader(await output.form(), redact);
				reader.push(bytes);
			}
		},
		readActivity: async (): Promise<ActivityReading> => {
			const grown = hasGrown;
			hasGrown = false;
			const {used, ...at} = reader?.now() ?? silent;
			const isFrozen = (await files.size(runPath(folder, 'frozen'))) !== undefined;
			const spokeAt = await files.writtenAt(path);
			const activity = {
				...at,
				...(isFrozen && {isFrozen}),
				...(output.start() === 0 && used !== undefined && {used}),
				...(spokeAt !== undefined && {spokeAt}),
			};
			return {hasGrown: grown, activity};
		},
	};
};

const createReader = ({writer, workspace}: LogForm, redact: Redactor): ActivityReader =>
	createActivityReader(readerOf(writer), {workspace, redact});

/** The activity of a run that has written nothing. */
const silent: ReturnType<ActivityReader['now']> = {about: ''};

/** Maximum number of outputs that are read at the same time. */
const maxConcurrentReads = 8;

/** Returns the current activities of these runs of this checkout, each from the end of its output. */
export const readActivities = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	open: readonly OpenRun[],
): Promise<RunActivities> => {
	const activities = new Map<string, RunActivity>();
	for (let first = 0; first < open.length; first += maxConcurrentReads)
		await Promise.all(
			open.slice(first, first + maxConcurrentReads).map(async one => {
				// An unreadable run is skipped; its log shows the reason.
				const activity = await readOne(context, one).catch(() => undefined);
				if (activity !== undefined) activities.set(one.run.agentId, activity);
			}),
		);
	return activities;
};

const readOne = async (
	context: Pick<ActionContext, 'files' | 'colony' | 'redact'>,
	open: OpenRun,
): Promise<RunActivity | undefined> => {
	const reading = await openActivity(context, open);
	await reading.read();
	const {hasGrown, activity: doing} = await reading.readActivity();
	const {spokeAt} = doing;
	return spokeAt === undefined || !(hasGrown || doing.isFrozen) ? undefined : {...doing, spokeAt};
};
