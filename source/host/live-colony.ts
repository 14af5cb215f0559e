import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {ActionContext} from '../actions/context.ts';
import type {BeeRequested} from '../actions/request-bee.ts';
import type {Colony} from '../colony/colony.ts';
import {accepted, type Detail, expectAccepted, type Outcome, refusalOf} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {refuseToOther, type SeenPlace} from '../domain/place.ts';
import {createRedactorOfPieces} from '../domain/redact.ts';
import {type Ledger, openLedger} from '../ledger/ledger.ts';
import {watchPlaces} from '../ledger/places.ts';
import type {Clock} from '../ports/clock.ts';
import {followLog} from '../runs/follow-log.ts';
import {runDirectory} from '../runs/layout.ts';
import {createLogTimes} from '../runs/log-times.ts';
import {createLogReader} from '../runs/read-log.ts';
import {acceptInvite} from './actions/invites.ts';
import {chatWithBee} from './actions/sessions.ts';
import {actionTable} from './actions/table.ts';
import {type Connection, createConnection} from './connection.ts';
import type {Host} from './host.ts';
import type {BegunSession, ColonyFacts, ColonyStatus, LiveColony} from './live.ts';
import {followSessions} from './live-sessions.ts';
import {createReadableText, formOf, outputOf, type TimedText} from './run-log.ts';
import {refuseChat} from './sessions.ts';
import {createToolWatch} from './tool-advice.ts';
import {beeViews, cueViews} from './views/colony.ts';
import {placeViews} from './views/places.ts';
import {worksOn} from './works-on.ts';

type Parts = {
	readonly context: ActionContext;
	/** As far as it is read; following folds the rest into it. */
	readonly ledger: Ledger;
	readonly host: Host;
	/** Called when the ledger has moved. */
	readonly listeners: Set<() => void>;
	/** Process id of the reactor that belongs to this face, when it has one. */
	readonly ownReactor: () => number | undefined;
	/** The log was another one by now, and a person has said to go on with that: what is open knows the one before. */
	readonly logTaken: () => void;
};

/** Opens the colony around `host.cwd` for a face that stays. Throws as `Host.open` does. */
export const openLiveColony = async (
	host: Host,
	{ownReactor, logTaken}: Pick<Parts, 'ownReactor' | 'logTaken'>,
): Promise<LiveColony> => {
	const context = await host.open();
	const [ledger, branch] = await Promise.all([openLedger(context.bus), branchOf(context)]);
	const parts: Parts = {context, ledger, host, ownReactor, logTaken, listeners: new Set()};
	const {slug, root} = context.colony;
	const connection = createConnection(context);
	let errorsIn: (colony: Colony) => readonly Detail[] = ({problems}) => problems;
	let terminal: Terminal = {problems: []};
	let toolAdvice: readonly string[] = [];
	const problems = () => [...errorsIn(context.colony), ...terminal.problems];
	return {
		header: {slug, root, branch, bus: context.bus.address},
		cues: () => cueViews(context.colony),
		facts: () => ({...factsOf(context.colony, problems()), toolAdvice, detachKey: terminal.detachKey}),
		reloaded: (signal, changed) => {
			const tools = createToolWatch(context, signal, advice => {
				toolAdvice = advice;
				changed();
			});
			void tools.look();
			host
				.followConfiguration({
					signal,
					changed: () => {
						changed();
						void tools.look();
					},
				})
				.then(async () => {
					({errorsIn} = await import('../colony/rules.ts'));
				})
				// Broken since it was opened: what was read then is shown, and `hive doctor` reports it.
				.catch(() => {})
				.then(async () => {
					terminal = await readTerminal(host);
					if (!signal.aborted && problems().length > 0) changed();
				});
		},
		follow: (signal, call) => void follow(parts, signal, call, connection),
		status: (signal, call) => void watchReactor(parts, signal, call, connection),
		log: (run, signal, call) =>
			void tailLog(parts, run, signal, call).catch((error: unknown) => {
				const reason = error instanceof Error ? error.message : error;
				if (!signal.aborted) call([{text: `\nThis log cannot be read:\n${reason}\n`}]);
			}),
		sessions: (signal, call) => followSessions(context, {ledger, moved: moved(parts), signal, call}),
		join: async (session, viewing, events) => {
			const {joinSession} = await import('./join-session.ts');
			return joinSession(context, session, {...viewing, scrollback: 0}, events);
		},
		chat: (id, input, signal) => chat(context, {id, input}, signal),
		preview: async target => (await import('./preview.ts')).previewTask(context, target),
		waits: async ({traceId, taskId}) => {
			const trace = ledger.snapshot(traceId);
			const task = trace.tasks.get(taskId);
			const {readRequestWaits, readWaits} = await import('./explain-task.ts');
			return task === undefined
				? readRequestWaits(context, trace, ledger)
				: readWaits(context, trace, task, ledger);
		},
		act: async (id, input) => {
			const done = await actionTable[id].run(context, input);
			return done.ok ? accepted(done.value.sentences[0] ?? '') : done;
		},
		now: context.clock.now,
	};
};

const moved =
	({listeners}: Parts) =>
	(signal: AbortSignal, call: () => void): void => {
		const tell = (): void => void (signal.aborted ? listeners.delete(tell) : call());
		listeners.add(tell);
	};

type Asking = {readonly id: 'bee.chat' | 'invite.accept'; readonly input: Readonly<Record<string, unknown>>};

/** The request that the action made, and the bee that it is for. */
const ask = async (
	context: ActionContext,
	{id, input}: Asking,
): Promise<Outcome<BeeRequested & {readonly role: string}>> => {
	if (id === 'bee.chat') {
		const asked = await chatWithBee.run(context, input);
		return asked.ok ? accepted({...asked.value.value, role: String(input.role)}) : asked;
	}
	const answered = await acceptInvite.run(context, input);
	return answered.ok ? accepted({...answered.value.value, role: answered.value.value.bee}) : answered;
};

const chat = async (
	context: ActionContext,
	asking: Asking,
	signal: AbortSignal,
): ReturnType<LiveColony['chat']> => {
	const asked = await ask(context, asking);
	if (!asked.ok) return asked;
	const {traceId, role} = asked.value;
	const {awaitSession} = await import('./session-life.ts');
	const begin = async (): Promise<Outcome<BegunSession | undefined>> => {
		const begun = await awaitSession(context, asked.value, signal);
		if (!begun.ok) return begun;
		return accepted(begun.value && {...begun.value, traceId, sessionId: begun.value.agentId});
	};
	return accepted({role, begun: begin()});
};

/** The branch that the checkout is on, read as git does, without starting it. */
const branchOf = async ({files, colony}: ActionContext): Promise<string> => {
	const head = (await files.read(join(colony.root, '.git', 'HEAD'))) ?? '';
	return /^ref: refs\/heads\/(.*)$/m.exec(head)?.[1] ?? 'detached';
};

/** Of `terminal.yaml`: what counts here, and what is wrong with it. */
type Terminal = Pick<ColonyFacts, 'detachKey'> & {readonly problems: readonly Detail[]};

const readTerminal = async (host: Host): Promise<Terminal> => {
	try {
		const {detachKey} = await host.terminal();
		return {detachKey, problems: []};
	} catch (error) {
		const details = refusalOf(error)?.details ?? [];
		const message = error instanceof Error ? error.message : String(error);
		return {problems: details.length > 0 ? details : [{path: 'terminal.yaml', message}]};
	}
};

const factsOf = (colony: Colony, problems: readonly Detail[]): Omit<ColonyFacts, 'toolAdvice'> => ({
	bees: beeViews(colony).map(({role, adapter, worktree}) => ({
		name: role,
		note: `${adapter}${worktree ? ', in the trace worktree' : ''}`,
		talks: refuseChat(colony, role) === undefined,
	})),
	problems: problems.map(({path, message}) => `${path}: ${message}`),
});

/** How far back, in sequences, the Events tab begins. */
const shownEvents = 1000;

/** A log that cannot be read is tried again after this long; a reactor comes and goes without an event, so it is asked. */
const askMilliseconds = 1000;

/** What of the log the face knows, and goes on from there when the log could not be read for a while. */
const follow = async (
	{context: {bus, clock, colony}, ledger, listeners, host, logTaken}: Parts,
	signal: AbortSignal,
	call: Parameters<LiveColony['follow']>[1],
	connection: Connection,
): Promise<void> => {
	const notify = (events: readonly StoredEvent[]): void => {
		call({traces: new Map(ledger.traces()), events});
		for (const listener of listeners) listener();
	};
	const pause = createPause(clock, signal);
	let after = Math.max(0, ledger.position() - shownEvents);
	const take = (events: readonly StoredEvent[]): void => {
		ledger.apply(events.filter(({sequence}) => sequence > ledger.position()));
		after = events.at(-1)?.sequence ?? after;
		notify(events);
	};
	notify([]);
	while (!signal.aborted) {
		try {
			// What follows may have nothing to say for long: that the log can be read is known from this.
			for await (const events of bus.read({after})) take(events);
			connection.found();
			for await (const events of bus.follow({after, signal})) take(events);
			return;
		} catch (error) {
			connection.lost(error);
			await pause(askMilliseconds);
			const isReplaced = refusalOf(error)?.code === 'log_replaced';
			if (isReplaced && (await canBeOpened(host.at(colony.root))) && !signal.aborted) return logTaken();
		}
	}
};

const canBeOpened = async (host: Host): Promise<boolean> => {
	try {
		await host.open();
		return true;
	} catch {
		return false;
	} finally {
		await host.close();
	}
};

const watchReactor = async (
	{context, host, ownReactor}: Parts,
	signal: AbortSignal,
	call: (status: ColonyStatus) => void,
	connection: Connection,
): Promise<void> => {
	const pause = createPause(context.clock, signal);
	let reactor: ColonyStatus['reactor'] | undefined;
	let seen = (): readonly SeenPlace[] => [];
	let places: ColonyStatus['places'] = [];
	const tell = (): void => {
		if (reactor === undefined || signal.aborted) return;
		const now = placeViews(seen(), context.checkout);
		if (!isDeepStrictEqual(now, places)) places = now;
		call({reactor, bus: connection.state(), places});
	};
	connection.watch(signal, tell);
	// While they cannot be seen the banner says why.
	if (context.bus.isShared) seen = watchPlaces({...context, report: () => {}}, signal, tell);
	while (!signal.aborted) {
		// One whose answer cannot be read is none.
		const status = await host.reactor().catch(() => undefined);
		reactor = !worksOn(status, undefined) ? 'none' : status?.pid === ownReactor() ? 'here' : 'elsewhere';
		tell();
		await pause(askMilliseconds);
	}
};

/** Waits that the signal cuts short. */
const createPause = (clock: Clock, signal: AbortSignal): ((milliseconds: number) => Promise<void>) => {
	let wake = (): void => {};
	signal.addEventListener('abort', () => wake(), {once: true});
	return milliseconds =>
		new Promise(resolve => {
			const cancel = clock.after(milliseconds, resolve);
			wake = () => {
				cancel();
				resolve();
			};
			if (signal.aborted) wake();
		});
};

/** A log that is longer is shown from here on; the file has the rest. */
const shownBytes = 2 * 1024 * 1024;

/** Reads a run's output from its file, then whatever is added, as the file system notifies. */
const tailLog = async (
	{context, host, ledger}: Parts,
	{traceId, agentId, stream}: Parameters<LiveColony['log']>[0],
	signal: AbortSignal,
	call: (parts: readonly TimedText[]) => void,
): Promise<void> => {
	const {files, colony, bus, checkout} = context;
	const {place = checkout} = ledger.snapshot(traceId).runs.get(agentId) ?? {};
	if (bus.isShared && place !== checkout) {
		const {readElsewhere} = await import('./log-elsewhere.ts');
		const refused = refuseToOther(place, {
			message: `The run ${agentId} was started by the checkout ${place}.`,
		});
		const {form, bytes, times} = expectAccepted(
			await readElsewhere(context, refused, {agentId, stream, follow: signal}),
		);
		const readable = createReadableText(form, 0, times);
		for await (const piece of bytes()) {
			const parts = await readable(piece);
			if (!signal.aborted) call(parts);
		}
		return;
	}
	const folder = runDirectory(colony.root, traceId, agentId);
	const path = join(folder, await outputOf(files, folder, stream));
	const offset = Math.max(((await files.size(path)) ?? 0) - shownBytes, 0);
	const redact = createRedactorOfPieces(await host.secrets());
	const times = createLogTimes(files, folder, stream);
	let readable: ReturnType<typeof createReadableText> | undefined;
	for await (const bytes of followLog(files, createLogReader(files, path, offset), {folder, signal})) {
		// Its directory names the adapter by the time that something is written, not when the run is claimed.
		readable ??= createReadableText(await formOf(files, folder, stream), offset, times);
		const parts = await readable(bytes);
		if (signal.aborted) return;
		call(parts.map(part => ({...part, text: redact(part.text)})));
	}
};
