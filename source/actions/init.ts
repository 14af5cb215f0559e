import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {
	type AgentTool,
	acpTools,
	agentTools,
	fallbackTool,
	findTools,
	noToolsMessage,
} from '../colony/agent-tools.ts';
import type {WriteAccepted} from '../colony/configuration/trust.ts';
import {forgeDefaults, forgeOfRemote, formatForge} from '../colony/forge.ts';
import {parseColonyYaml} from '../colony/parse/colony.ts';
import {readYamlUncached} from '../colony/parse/read-yaml-uncached.ts';
import {refuseConfig} from '../colony/refuse-config.ts';
import {accepted, type Detail, type Outcome, refuse} from '../domain/errors.ts';
import type {Flow} from '../domain/flow.ts';
import type {Files} from '../ports/files.ts';
import type {Processes} from '../ports/processes.ts';
import {foreignLog} from '../runs/newest-event.ts';
import {
	acceptedFile,
	forgeNote,
	newNotes,
	readPlantable,
	readTransferNotes,
	renderNotes,
} from '../workspaces/outside/planted.ts';
import {readCheckoutNotes, sentenceOf} from '../workspaces/worktree/checkout-notes.ts';
import {refuseUnusable} from '../workspaces/worktree/usable-checkout.ts';
import {
	chooseHome,
	colonyFile,
	knownNotes,
	type MachineHome,
	type Present,
	refuseRenamed,
} from './choose-home.ts';
import {draftFiles} from './draft-files.ts';
import {readProject} from './read-project.ts';
import {type Retooled, retoolBees} from './retool-bees.ts';
import {isShared} from './share-base.ts';
import type {TakeOverContext} from './take-over.ts';
import {
	completeFlow,
	createLog,
	ensureIgnored,
	freshFiles,
	withSlug,
	writeAll,
	writeColony,
	writeMachineFiles,
} from './write-colony.ts';

export type InitContext = TakeOverContext & {
	readonly processes: Pick<Processes, 'which'>;
	readonly randomHex: (digits: number) => string;
	/** Returns the writer of accepted settings for a machine-local folder. */
	readonly writeAcceptedIn: (folder: string) => WriteAccepted;
};

export type InitReport = {
	readonly slug: string;
	/** Root-relative paths, and absolute ones of the machine-local directory. */
	readonly created: readonly string[];
	readonly kept: readonly string[];
	/** Known agent tools on PATH, the preferred one first. */
	readonly agentTools: readonly string[];
	/**
	 * If no tool is on PATH: the tools that hive knows, how to install each, and what to do meanwhile, one line
	 * each. Otherwise empty.
	 */
	readonly toolAdvice: readonly string[];
	/** The agent tool of the bees; undefined when the colony had bees already. */
	readonly agent: string | undefined;
	/** True if the builder of a new colony asks a person before it publishes anything. */
	readonly asks: boolean;
	/** Kept files whose content differs from what the requested flow needs. */
	readonly differing: readonly string[];
	/** Bees of a colony that was there, which now run the requested agent tool. */
	readonly retooled: readonly Retooled[];
	/**
	 * The test command that was found, by the file that names it; undefined if none was found, or if the colony
	 * was there.
	 */
	readonly tests:
		| {
				readonly command: readonly string[];
				readonly file: string;
				/** Commands that prepare a worktree for it. */
				readonly setup: readonly (readonly string[])[];
				/** True if every proposal and merge is checked with it. */
				readonly verifies: boolean;
		  }
		| undefined;
	/** With `dryRun`: the files that would be written, with their texts, by path as in `created`. */
	readonly files: readonly {readonly path: string; readonly text: string}[] | undefined;
	/** The checkout's earlier root, if it was moved and keeps its log. */
	readonly takenOver: string | undefined;
	/**
	 * Programs and settings of git here that are new since the last init. They are accepted from now on. Names,
	 * with values or digests.
	 */
	readonly accepted: readonly Detail[];
	/**
	 * One sentence each: what in the checkout hinders merges, and what in another checkout's log does not count
	 * here.
	 */
	readonly notes: readonly string[];
	/** The command to run next. */
	readonly next: string;
};

export type InitInput = {
	/**
	 * Agent tool for the bees. Default: the first that is found. In a colony that is there, its bees are
	 * changed to it.
	 */
	readonly agent?: string | undefined;
	/** Whether the agent is started through the Agent Client Protocol, where hive knows it. */
	readonly acp?: boolean | undefined;
	/** Whether a fresh colony checks every proposal with the project's tests. Default: no, with a comment. */
	readonly verifies?: boolean | undefined;
	/** Why it does not, for that comment. */
	readonly unverified?: string | undefined;
	/** Whether a person of a fresh colony accepts each plan of a bee before its tasks start. Default: no. */
	readonly reviewsPlans?: boolean | undefined;
	/** Returns what would be written, and writes nothing. */
	readonly dryRun?: boolean | undefined;
	/** Bees, prompts and invites to add. */
	readonly flow?: Flow | undefined;
	/** Whether a checkout that was moved keeps its log (`takeOver`). */
	readonly takesOver?: boolean | undefined;
	/**
	 * Programs and settings of git, new since the last init, that a person accepts: all, or those that they
	 * were shown.
	 */
	readonly accepts?: 'all' | readonly Detail[] | undefined;
};

/**
 * Makes a checkout a colony, or completes what is missing. An existing colony keeps its files, but a
 * `colony.yaml` without a slug or an id gets them. So a second checkout only gets its machine-local
 * directory. A checkout that was moved takes over its earlier one.
 *
 * Refuses an unknown agent, and a broken `colony.yaml` or machine-local `config.yaml`. Refuses everything
 * that `takeOver` refuses, and another slug while changes await a person's approval. Refuses checks in a
 * colony that is there, or without a test command. Refused with `programs_new` while git runs or reads
 * anything new that was not accepted. After a refusal nothing is changed.
 */
export const initColony = async (
	context: InitContext,
	input: InitInput & {readonly root: string},
): Promise<Outcome<InitReport>> => {
	if (!input.dryRun) return makeColony(context, input);
	const {files, written} = draftFiles(context.files);
	const made = await makeColony(
		{...context, files, writeAcceptedIn: () => (_, write) => write()},
		{...input, takesOver: undefined},
	);
	const shown = (path: string): string =>
		path.startsWith(`${input.root}/`) ? path.slice(input.root.length + 1) : path;
	const texts = [...written].map(([path, text]) => ({path: shown(path), text}));
	return made.ok ? accepted({...made.value, files: texts}) : made;
};

const makeColony = async (
	context: InitContext,
	{
		root,
		agent,
		acp,
		flow,
		takesOver,
		accepts,
		verifies = false,
		unverified,
		reviewsPlans = false,
	}: InitInput & {readonly root: string},
): Promise<Outcome<InitReport>> => {
	const tools = acp ? acpTools : agentTools;
	const wanted = tools.find(({name}) => name === agent);
	if (agent !== undefined && wanted === undefined) return refuseAgent(agent, tools);
	const unusable = await refuseUnusable(context.git, root);
	if (unusable !== undefined) return unusable;
	const present = await readColony(context.files, root);
	if (!present.ok) return present;
	const plantable = await readPlantable(context.git, context.files, root);
	const {isShared: shares, forge} = present.value;
	const transfers = shares || forge !== undefined ? await readTransferNotes(context.git, root) : [];
	const forges = forge === undefined ? [] : [`${forgeNote}=${formatForge(forge)}`];
	const notes = [...new Set([...plantable, ...transfers, ...forges])];
	const known = await knownNotes(context, root, {...present.value, takesOver});
	const fresh = newNotes(known ?? [], notes);
	const isAccepted = known === undefined || accepts === 'all' || isDeepStrictEqual(accepts ?? [], fresh);
	if (!isAccepted) return refuse('programs_new', {details: fresh});
	const isFresh = present.value.text === undefined;
	const project = await readProject(context.files, root);
	if (verifies && !isFresh) return refuseVerify('This colony has its settings already.');
	if (verifies && project.tests === undefined)
		return refuseVerify('No file here names a test command that hive knows.');
	const home = await chooseHome(context, root, {...present.value, takesOver});
	if (!home.ok) return home;
	const renamed = await refuseRenamed(context, root, home.value);
	if (renamed !== undefined) return renamed;
	const found = await findTools(context.processes.which, tools);
	const tool = wanted ?? found[0] ?? (acp ? tools[0] : undefined) ?? fallbackTool;
	const log = createLog();
	const texts = freshFiles(tool, flow);
	const remote = ['config', '--get', `remote.${forgeDefaults.remote}.url`];
	const {stdout: address} = await context.git.attempt(remote, {cwd: root});
	const facts = {
		...{flow, tool, project, verifies, unverified, reviewsPlans},
		forge: forgeOfRemote(address),
	};
	let differing: readonly string[] = [];
	let retooled: readonly Retooled[] = [];
	const written = [colonyFile, ...texts.keys()].map(path => join(root, path));
	await context.writeAcceptedIn(home.value.folder)(written, async () => {
		if (isFresh) await writeAll(context.files, root, texts, log);
		await ensureIgnored(context.files, root, log);
		await writeColony(context, root, {slug: home.value.slug, facts}, present.value, log);
		if (isFresh) return;
		differing = await completeFlow(context.files, root, {flow, tool}, log);
		if (wanted !== undefined) retooled = await retoolBees(context.files, root, wanted);
	});
	await writeMachineFiles(context, root, home.value, log);
	await acceptGit(context, notes, home.value);
	const checkout = ((await context.files.read(join(home.value.folder, 'place'))) ?? '').trim();
	const foreign = await foreignLog(context.files, {root, checkout});
	return accepted({
		slug: home.value.slug,
		created: [...new Set(log.created)],
		kept: [...new Set(log.kept)].filter(path => !log.created.includes(path)),
		differing,
		retooled,
		tests: isFresh && project.tests ? {...project.tests, setup: project.setup, verifies} : undefined,
		files: undefined,
		agentTools: found.map(({name}) => name),
		toolAdvice: found.length > 0 ? [] : noToolsMessage(tools),
		agent: isFresh ? tool.name : undefined,
		asks: isFresh && tool.canAsk === true,
		takenOver: home.value.before,
		accepted: fresh,
		notes: [...(foreign ? [foreign] : []), ...(await readCheckoutNotes(context.git, root)).map(sentenceOf)],
		next: found.length > 0 ? 'hive cue run feature "<what you want>"' : 'hive doctor',
	});
};

const refuseAgent = (agent: string, tools: readonly AgentTool[]) =>
	refuse('usage', {
		message: `hive does not know the agent tool "${agent}".`,
		hint: `Choose one of ${tools.map(({name}) => name).join(', ')}.`,
	});

const refuseVerify = (message: string) =>
	refuse('wrong_status', {
		message,
		hint: 'Leave --verify out. Write "verify" into .hive/colony.yaml: docs/guide/settings.md shows it.',
	});

/** Reads `colony.yaml`. A file without a slug or an id counts as incomplete; a broken file is refused. */
const readColony = async (files: Files, root: string): Promise<Outcome<Present>> => {
	const text = await files.read(join(root, colonyFile));
	if (text === undefined || text.trim() === '') return accepted({});
	const {value, problems} = parseColonyYaml(colonyFile, await readYamlUncached(text));
	if (value)
		return accepted({
			...{slug: value.slug, text, isShared: isShared(value)},
			...(value.id && {id: value.id}),
			...(value.forge && {forge: value.forge}),
		});
	const {value: completed} = parseColonyYaml(colonyFile, await readYamlUncached(withSlug(text, 'colony')));
	return completed ? accepted({text, ...(completed.id && {id: completed.id})}) : refuseConfig(problems);
};

/**
 * Accepts what git runs here, on behalf of the person who runs init. From now on hive can tell it from what
 * agents add (docs/reliability.md I17).
 */
const acceptGit = async (
	{files}: InitContext,
	notes: readonly string[],
	{folder}: MachineHome,
): Promise<void> => {
	await files.write(join(folder, acceptedFile), renderNotes(notes), {mode: 0o600});
};
