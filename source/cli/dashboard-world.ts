import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import type {Colony} from '../colony/colony.ts';
import type {World, WorldStatus} from '../dashboard/world.ts';
import type {StoredEvent} from '../domain/event.ts';
import type {Redactor} from '../domain/redact.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Bus} from '../ports/bus.ts';
import type {OutsidePrograms} from '../ports/outside-programs.ts';
import {followFile} from '../runs/follow-file.ts';
import {runDirectory, runFile} from '../runs/layout.ts';
import {createActs} from './dashboard-acts.ts';
import {adapterOf, createReadableText} from './run-log.ts';
import type {FollowConfiguration, ReactorStatus} from './session.ts';
import {worksOn} from './works-on.ts';

export type WorldParts = {
	readonly context: ActionContext;
	/** As far as it is read; the dashboard folds the rest into it. */
	readonly ledger: Ledger;
	readonly branch: string;
	readonly programs: OutsidePrograms;
	readonly reactor: () => Promise<ReactorStatus | undefined>;
	readonly followConfiguration: FollowConfiguration;
	/** Process id of the reactor that belongs to this dashboard. */
	readonly ownReactor: () => number | undefined;
	readonly suspend: () => Promise<void>;
	readonly resume: () => Promise<void>;
	/** A redactor for one text that comes in pieces. */
	readonly redactorOfPieces: () => Promise<Redactor>;
};

/** The dashboard's outside, made of the same log, files and actions that the commands use. */
export const createWorld = (parts: WorldParts): World => {
	const {context, ledger, branch, programs, suspend, resume, followConfiguration} = parts;
	const {clock} = context;
	const {slug, root} = context.colony;
	return {
		header: {slug, root, branch, bus: 'embedded'},
		get cues() {
			return [...context.colony.cues.values()].map(({id, description}) => ({id, description}));
		},
		get colony() {
			return factsOf(context.colony);
		},
		reloaded: (signal, changed) =>
			void followConfiguration({
				signal,
				changed,
				// Broken since it was opened: what was read then is shown, and `hive doctor` tells.
			}).catch(() => {}),
		follow: (signal, call) => void follow(context.bus, ledger, signal, call),
		status: (signal, call) => void watchReactor(parts, signal, call),
		log: (run, signal, call) => void tailLog(parts, run, signal, call),
		preview: async target => (await import('./dashboard-preview.ts')).previewTask(context, target),
		act: createActs(context),
		now: clock.now,
		suspend,
		resume,
		copy: programs.copy,
		openPager: programs.page,
		edit: programs.edit,
	};
};

const factsOf = ({bees, problems}: Colony): World['colony'] => ({
	bees: [...bees.values()].map(({role, adapter, worktree}) => ({
		name: role,
		note: `${adapter}${worktree ? ', in the trace worktree' : ''}`,
	})),
	problems: problems.map(({path, message}) => `${path}: ${message}`),
});

/** How far back, in sequences, the Events tab begins. */
const shownEvents = 1000;

const follow = async (
	bus: Bus,
	ledger: Ledger,
	signal: AbortSignal,
	call: Parameters<World['follow']>[1],
): Promise<void> => {
	const tell = (events: readonly StoredEvent[]) => call({traces: new Map(ledger.traces()), events});
	const start = ledger.position();
	tell([]);
	for await (const events of bus.read({after: Math.max(0, start - shownEvents)}))
		tell(events.filter(({sequence}) => sequence <= start));
	for await (const events of bus.follow({after: start, signal})) {
		ledger.apply(events);
		tell(events);
	}
};

/** A reactor comes and goes without an event, so it is asked; the answer costs a fraction of a millisecond. */
const askMilliseconds = 1000;

const watchReactor = async (
	{context, reactor, ownReactor}: WorldParts,
	signal: AbortSignal,
	call: (status: WorldStatus) => void,
): Promise<void> => {
	let wake = (): void => {};
	signal.addEventListener('abort', () => wake(), {once: true});
	while (!signal.aborted) {
		const status = await reactor();
		const where = !worksOn(status, undefined) ? 'none' : status?.pid === ownReactor() ? 'here' : 'elsewhere';
		call({reactor: where, bus: {state: 'live'}});
		await new Promise<void>(resolve => {
			const cancel = context.clock.after(askMilliseconds, resolve);
			wake = () => {
				cancel();
				resolve();
			};
		});
	}
};

/** A log that is longer is shown from here on; the file has the rest. */
const shownBytes = 2 * 1024 * 1024;

/** Reads a run's output from its file, then whatever is added, told by the file system. */
const tailLog = async (
	{context: {files, colony}, redactorOfPieces}: WorldParts,
	{traceId, agentId}: {traceId: string; agentId: string},
	signal: AbortSignal,
	call: (chunk: string) => void,
): Promise<void> => {
	const directory = runDirectory(colony.root, traceId, agentId);
	const path = join(directory, runFile.stdout);
	const offset = Math.max(((await files.size(path)) ?? 0) - shownBytes, 0);
	const adapter = await adapterOf(files, directory);
	const readable = createReadableText(adapter, offset === 0);
	const redact = await redactorOfPieces();
	await followFile(files, path, {offset, signal}, bytes => call(redact(readable(bytes))));
};
