import {join} from 'node:path';
import {type BusSettings, busSettings} from '../../colony/bus-settings.ts';
import {type ChatSettings, loadChatSettings} from '../../colony/chat-settings.ts';
import type {Colony} from '../../colony/colony.ts';
import {formatForge} from '../../colony/forge.ts';
import {type KnownCheckout, knownCheckouts} from '../../colony/known-checkouts.ts';
import {chatFile, loadMachine} from '../../colony/load-machine.ts';
import type {MachineFile} from '../../colony/parse/machine.ts';
import {loadTerminalSettings, terminalFile} from '../../colony/terminal-settings.ts';
import type {DifferingMain} from '../../domain/differing-main.ts';
import {type Detail, HiveError, type Refusal} from '../../domain/errors.ts';
import type {KnownMachine} from '../../domain/machine-status.ts';
import type {Trace} from '../../domain/trace.ts';
import {openLedger} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';
import type {CanContain, Containment} from '../../ports/containment.ts';
import type {EventStore, StoreProbe} from '../../ports/event-store.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';
import {findPerl, type Processes} from '../../ports/processes.ts';
import {missingInLog, missingWithoutLog, type OwnCheckout} from '../../runs/newest-event.ts';
import {currentBase} from '../../workspaces/merge/base.ts';
import {readDifferingMains} from '../../workspaces/merge/differing-mains.ts';
import {refuseUnshared} from '../../workspaces/merge/upstream.ts';
import {forgeNote, readAccepted} from '../../workspaces/outside/planted.ts';
import {type CheckoutNote, readCheckoutNotes} from '../../workspaces/worktree/checkout-notes.ts';
import {refuseUnusable} from '../../workspaces/worktree/usable-checkout.ts';
import {isShared} from '../share-base.ts';
import type {SurveyedBot, TryBot} from './surveyed-bot.ts';
import type {SurveyedForge, TryForge} from './surveyed-forge.ts';

type WorksOn = (traceId: string) => boolean;

/** Everything that a survey of a machine reads with. Nothing in it creates or changes anything. */
export type SurveyContext = {
	readonly files: Files;
	readonly git: Git;
	readonly processes: Pick<Processes, 'which'>;
	readonly containment: Pick<Containment, 'probe'>;
	/** Absolute root of the checkout. */
	readonly root: string;
	/** Absolute folder that holds one machine-local directory per checkout. */
	readonly home: string;
	/** Returns the machine-local directory of this checkout, for a colony's slug. */
	readonly folderOf: (slug: string) => string;
	/**
	 * Returns the store of a machine-local directory, or of a bus. It is opened only if its probe finds it
	 * sound, or written by a newer hive.
	 */
	readonly storeIn: (folder: string, bus: BusSettings | undefined, colony: Colony) => EventStore;
	/**
	 * Asks the live reactor which traces it works on, and what is wrong with the configuration that it uses.
	 */
	readonly reactor: (
		folder: string,
	) => Promise<{readonly isWorkedOn: WorksOn; readonly problems: readonly Detail[]}>;
	/** Every checkout that works on the colony, this one too; none where the log belongs to one checkout. */
	readonly places: (bus: Bus) => Promise<readonly KnownMachine[]>;
	/** The first `hive` on PATH, if that is another program. */
	readonly foreignHive: () => Promise<string | undefined>;
	/** Used only for the bot that `chat.yaml` enables. */
	readonly tryBot: TryBot;
	/** Used only for a forge that a person accepted. */
	readonly tryForge: TryForge;
	readonly env: Readonly<Record<string, string | undefined>>;
};

/** Facts of this machine and checkout, outside the colony's configuration. */
export type Survey = {
	readonly root: string;
	/** As git prints it; empty when git cannot be started. */
	readonly gitVersion: string;
	readonly hasPerl: boolean;
	readonly containment: CanContain;
	readonly hasCommit: boolean;
	/** Why git does not open the checkout, or finds no files in it. */
	readonly unusable: Refusal | undefined;
	readonly checkoutNotes: readonly CheckoutNote[];
	readonly foreignHive: string | undefined;
	/** Git's lock files, root-relative. */
	readonly gitLocks: readonly string[];
	/** Names below `.hive/worktrees`. */
	readonly worktrees: readonly string[];
	readonly settings: MachineFile['adapters'];
	readonly machine: MachineSurvey;
};

export type MachineSurvey = {
	/** Absolute machine-local directory of this checkout. */
	readonly folder: string;
	/** True if `init` has written it. */
	readonly isKnown: boolean;
	readonly problems: readonly Detail[];
	readonly warnings: readonly Detail[];
	readonly bot: SurveyedBot | undefined;
	readonly forge: SurveyedForge | undefined;
	/** Other checkouts of this colony. */
	readonly others: readonly KnownCheckout[];
	readonly store: StoreProbe;
	/** The store's location as it is shown to people. */
	readonly location: string;
	/** Tells whether a live reactor works on the trace. */
	readonly isWorkedOn: WorksOn;
	/** Problems in the configuration that the live reactor uses. */
	readonly reactorProblems: readonly Detail[];
	/** Describes events that were folded before and are now missing in the log. */
	readonly missingInLog: string | undefined;
	/** Absent when the log could not be read. */
	readonly traces: ReadonlyMap<string, Trace> | undefined;
	/** Other checkouts that share the log, whose reactors are alive or were. */
	readonly places: readonly KnownMachine[];
	/** The branches that those checkouts have at another commit. */
	readonly mains: readonly DifferingMain[];
	/** Why merges could not be pushed now; undefined also if they stay in this clone. */
	readonly unshared: Refusal | undefined;
};

export const surveyMachine = async (context: SurveyContext, colony: Colony | undefined): Promise<Survey> => {
	const {git, files, root} = context;
	const [
		version,
		perl,
		containment,
		head,
		unusable,
		checkoutNotes,
		foreignHive,
		gitLocks,
		worktrees,
		machine,
	] = await Promise.all([
		git.attempt(['--version'], {cwd: root}).catch(() => undefined),
		findPerl(context.processes.which),
		context.containment.probe(),
		git.attempt(['rev-parse', '--verify', '--quiet', 'HEAD'], {cwd: root}).catch(() => undefined),
		refuseUnusable(git, root).catch(() => undefined),
		readCheckoutNotes(git, root).catch(() => []),
		context.foreignHive(),
		findGitLocks(context),
		files.list(join(root, '.hive/worktrees')),
		colony && surveyFolder(context, colony),
	]);
	return {
		root,
		gitVersion: version?.exitCode === 0 ? version.stdout.trim() : '',
		hasPerl: perl !== undefined,
		containment,
		hasCommit: head?.exitCode === 0,
		unusable: unusable?.refusal,
		checkoutNotes,
		foreignHive,
		gitLocks,
		worktrees,
		settings: machine?.settings ?? {},
		machine: machine ?? nothingKnown,
	};
};

/** Without a slug, this machine's folder for the colony is unknown, so there is nothing to report. */
const nothingKnown: MachineSurvey = {
	folder: '',
	isKnown: true,
	problems: [],
	warnings: [],
	bot: undefined,
	forge: undefined,
	others: [],
	store: {state: 'absent'},
	location: '',
	isWorkedOn: () => false,
	reactorProblems: [],
	missingInLog: undefined,
	traces: undefined,
	places: [],
	mains: [],
	unshared: undefined,
};

const findGitLocks = async ({git, files, root}: SurveyContext): Promise<string[]> => {
	const repository = await git.folders(root).catch(() => undefined);
	if (repository === undefined) return [];
	const {common} = repository;
	const worktreeNames = await files.list(join(common, 'worktrees'));
	const folders = [common, ...worktreeNames.map(name => join(common, 'worktrees', name))];
	const found = await Promise.all(
		folders.map(async folder => {
			const names = await files.list(folder);
			return names.filter(name => name.endsWith('.lock')).map(name => join(folder, name));
		}),
	);
	return found.flat().map(path => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
};

const surveyFolder = async (
	context: SurveyContext,
	colony: Colony,
): Promise<MachineSurvey & {settings: MachineFile['adapters']}> => {
	const {slug} = colony;
	const folder = context.folderOf(slug);
	const machine = await loadMachine(context.files, folder);
	const file = machine.ok ? machine.value : undefined;
	const bus = busSettings(context.env, file);
	const eventStore = context.storeIn(folder, bus.ok ? bus.value : undefined, colony);
	const [terminal, chat, place = '', known, store] = await Promise.all([
		loadTerminalSettings(context.files, join(folder, terminalFile)),
		loadChatSettings(context.files, join(folder, chatFile), context.env),
		context.files.read(join(folder, 'place')),
		knownCheckouts(context.files, context.home, slug),
		bus.ok ? eventStore.probe() : ({state: 'away', ...bus.refusal} as const),
	]);
	const bot = surveyBot(context, join(folder, chatFile), chat.ok ? chat.value : undefined);
	const checkout = place.trim();
	const forge = surveyForge(context, colony, folder);
	const own = {root: context.root, checkout};
	const readable = store.state === 'sound' || store.state === 'newer';
	const [reactor, log] = readable
		? await Promise.all([context.reactor(folder), readLog(context, own, eventStore)])
		: [{isWorkedOn: nothingKnown.isWorkedOn, problems: []}, await readWithoutLog(context, own, store)];
	const places = log.places.filter(other => other.checkout !== checkout);
	return {
		folder,
		isKnown: !machine.ok || (file !== undefined && checkout !== ''),
		problems: [
			...(machine.ok ? (file?.problems ?? []) : machine.refusal.details),
			...(terminal.ok ? [] : terminal.refusal.details),
			...(chat.ok ? [] : chat.refusal.details),
		],
		warnings: [...(file?.warnings ?? []), ...((terminal.ok && terminal.value.warnings) || [])],
		bot: await bot,
		forge: await forge,
		others: known.filter(other => other.folder !== folder),
		store,
		location: eventStore.location,
		isWorkedOn: reactor.isWorkedOn,
		reactorProblems: reactor.problems,
		...log,
		places,
		unshared: await surveyUpstream(context, colony, folder),
		mains: await readDifferingMains(context, places, [...(log.traces?.values() ?? [])]),
		settings: file?.adapters ?? {},
	};
};

const surveyUpstream = async (
	{git, files, root}: SurveyContext,
	colony: Colony,
	folder: string,
): Promise<Refusal | undefined> => {
	const base = isShared(colony) ? await currentBase(git, root).catch(() => undefined) : undefined;
	if (base === undefined || base.ref === '') return undefined;
	return (await refuseUnshared(git, root, base, await readAccepted(files, folder)))?.refusal;
};

const surveyBot = async (
	{tryBot}: SurveyContext,
	path: string,
	{token, apiRoot}: Partial<ChatSettings> = {},
): Promise<SurveyedBot | undefined> => {
	if (token === undefined || apiRoot === undefined) return undefined;
	const host = URL.canParse(apiRoot) ? new URL(apiRoot).host : 'the address';
	return {...(await tryBot({token, apiRoot})), path, host};
};

const surveyForge = async (
	{git, files, root, tryForge, env}: SurveyContext,
	{forge: settings}: Colony,
	folder: string,
): Promise<SurveyedForge | undefined> => {
	if (settings === undefined) return undefined;
	const args = ['remote', 'get-url', '--push', settings.remote];
	const [shown, known] = await Promise.all([
		git.attempt(args, {cwd: root}).catch(() => undefined),
		readAccepted(files, folder),
	]);
	const isAccepted = known.has(`${forgeNote}=${formatForge(settings)}`);
	return {
		settings,
		address: shown?.exitCode === 0 ? shown.stdout.trim() : '',
		answer: isAccepted ? await tryForge(settings, folder) : undefined,
		hasWebhookSecret: settings.webhookSecretEnv === undefined || Boolean(env[settings.webhookSecretEnv]),
	};
};

type LogRead = Pick<MachineSurvey, 'missingInLog' | 'traces' | 'places'>;

const nothingRead: LogRead = {missingInLog: undefined, traces: undefined, places: []};

const readWithoutLog = async (
	{files}: SurveyContext,
	own: OwnCheckout,
	{state}: StoreProbe,
): Promise<LogRead> =>
	state === 'absent' ? {...nothingRead, missingInLog: await missingWithoutLog(files, own)} : nothingRead;

const readLog = async (
	{files, places}: SurveyContext,
	own: OwnCheckout,
	store: EventStore,
): Promise<LogRead> => {
	const bus = await store.open().catch(() => undefined);
	if (bus === undefined) return nothingRead;
	try {
		return {
			missingInLog: await missingInLog(bus, files, own),
			traces: (await openLedger(bus)).traces(),
			places: await places(bus),
		};
	} catch (error) {
		if (error instanceof HiveError && error.refusal.code === 'log_replaced')
			return {...nothingRead, missingInLog: error.message};
		throw error;
	} finally {
		await bus.close();
	}
};
