import {join} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import type {BeeRequested} from '../actions/request-bee.ts';
import type {Colony} from '../colony/colony.ts';
import {awaitsAcceptance} from '../domain/awaiting-configuration.ts';
import {accepted, type Detail, type Outcome, refusalOf} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {usualNotify} from '../domain/notify.ts';
import {openLedger} from '../ledger/ledger.ts';
import {acceptInvite} from './actions/invites.ts';
import {chatWithBee} from './actions/sessions.ts';
import {actionTable} from './actions/table.ts';
import {createConnection} from './connection.ts';
import {followDoing} from './doing.ts';
import {followClashes} from './follow-clashes.ts';
import {type Following, followColony, watchReactor} from './follow-colony.ts';
import type {Host} from './host.ts';
import type {BegunSession, ColonyFacts, LiveColony} from './live.ts';
import {followSessions} from './live-sessions.ts';
import {locateColony, machineFolder} from './locate-colony.ts';
import {createInboxReader} from './read-inbox.ts';
import {createRemember, readRemembered} from './remembered.ts';
import {refuseChat} from './sessions.ts';
import {followSpent} from './spent-today.ts';
import {followSurvey} from './survey.ts';
import {tailLog} from './tail-log.ts';
import {createToolWatch} from './tool-advice.ts';
import {beeViews, cueViews} from './views/colony.ts';
import {type Wait, whileStarting} from './waits.ts';

/** Opens the colony around `host.cwd` for a face that stays. Throws as `Host.open` does. */
export const openLiveColony = async (
	host: Host,
	{ownReactor, logTaken}: Pick<Following, 'ownReactor' | 'logTaken'>,
): Promise<LiveColony> => {
	const context = await host.open();
	const folder =
		locateColony(host.env, context.colony.root)?.machineFolder ??
		machineFolder(host.env, context.colony.root, context.colony.slug);
	const [ledger, branch, remembered] = await Promise.all([
		openLedger(context.bus),
		branchOf(context),
		readRemembered(context.files, folder),
	]);
	const parts: Following = {
		...{context, ledger, host, logTaken},
		...(ownReactor && {ownReactor}),
		listeners: new Set(),
	};
	const asWaited = (waits: readonly Wait[]): readonly Wait[] =>
		ownReactor?.isStarting() ? whileStarting(waits) : waits;
	const {slug, root} = context.colony;
	const connection = createConnection(context);
	let errorsIn: (colony: Colony) => readonly Detail[] = ({problems}) => problems;
	let terminal: Terminal = {problems: []};
	let toolAdvice: readonly string[] = [];
	const reloads = new Set<() => void>();
	const problems = () => [...errorsIn(context.colony), ...terminal.problems];
	return {
		header: {slug, root, branch, bus: context.bus.address},
		cues: () => cueViews(context.colony),
		facts: () => ({...factsOf(context.colony, problems()), toolAdvice, detachKey: terminal.detachKey}),
		reloaded: (signal, call) => {
			const changed = (): void => {
				call();
				for (const reload of reloads) reload();
			};
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
					const rules = await import('../colony/rules.ts');
					errorsIn = colony => rules.errorsIn(colony).map(({fix, ...problem}) => ({...problem, hint: fix}));
				})
				// Broken since it was opened: what was read then is shown, and `hive doctor` reports it.
				.catch(() => {})
				.then(async () => {
					terminal = await readTerminal(host);
					if (!signal.aborted && problems().length > 0) changed();
				});
		},
		follow: (signal, call) => void followColony(parts, signal, call, connection),
		status: (signal, call) => void watchReactor(parts, signal, call, connection),
		survey: (signal, call) => {
			const surveying = {
				context,
				ledger,
				problems: () => problems().map(({path, message, hint}) => ({path, message, ...(hint && {hint})})),
			};
			const either = (until: AbortSignal, wake: () => void): void => {
				moved(parts)(until, wake);
				reloads.add(wake);
			};
			void followSurvey({...surveying, moved: either, signal, call});
		},
		inbox: createInboxReader(context, ledger),
		clashes: (signal, call) =>
			// Where git's folders cannot be read nothing is known of clashes, and whatever else is done says why.
			void followClashes({context, ledger, moved: moved(parts), signal, call}).catch(() => {}),
		spent: (signal, call) =>
			void followSpent({context, position: ledger.position(), heard: moved(parts), signal, call}),
		notify: () => context.notify?.() ?? usualNotify,
		log: (run, signal, call) =>
			void tailLog(parts, run, signal, call).catch((error: unknown) => {
				const reason = error instanceof Error ? error.message : error;
				if (!signal.aborted) call([{text: `\nThis log cannot be read:\n${reason}\n`}]);
			}),
		sessions: (signal, call) => followSessions(context, {ledger, moved: moved(parts), signal, call}),
		doing: (signal, call) => followDoing({...parts, moved: moved(parts), signal, call}),
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
			return asWaited(
				task === undefined
					? await readRequestWaits(context, trace, ledger)
					: await readWaits(context, trace, task, ledger),
			);
		},
		detail: async target => {
			const {readDetail} = await import('./detail.ts');
			const facts = await readDetail(context, {ledger, secrets: await host.secrets()}, target);
			return {...facts, waits: asWaited(facts.waits)};
		},
		history: async traceId => (await import('./history.ts')).readHistory(context, traceId),
		reviews: {
			read: async () =>
				(await import('./review-memory.ts')).readReviewMemory(context.files, await host.machineFolder()),
			write: async (memory, before) =>
				(await import('./review-memory.ts')).writeReviewMemory(
					context.files,
					await host.machineFolder(),
					memory,
					before,
				),
		},
		configurationChanges: async () =>
			(await import('./configuration-changes.ts')).readConfigurationChanges(context),
		compare: async trees => (await import('./compare.ts')).compareTrees(context, trees),
		lines: async blob => (await import('./compare.ts')).readLines(context, blob),
		act: async (id, input) => {
			const done = await actionTable[id].run(context, input);
			if (!done.ok) return done;
			const {value, sentences} = done.value;
			return accepted({said: sentences[0] ?? '', ...traceOf(value)});
		},
		remembered,
		remember: createRemember(context.files, folder),
		now: context.clock.now,
	};
};

const traceOf = (value: unknown): {readonly traceId?: string} => {
	const {traceId} = Object(value);
	return typeof traceId === 'string' ? {traceId} : {};
};

const moved =
	({listeners}: Following) =>
	(signal: AbortSignal, call: (events: readonly StoredEvent[]) => void): void => {
		const tell = (events: readonly StoredEvent[]): void =>
			void (signal.aborted ? listeners.delete(tell) : call(events));
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
	problems: problems.map(problemText),
	awaiting: problems.filter(awaitsAcceptance).map(problemText),
});

const problemText = ({path, message}: Detail): string => `${path}: ${message}`;
