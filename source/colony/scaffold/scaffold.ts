import type {Flow} from '../../domain/flow.ts';
import {type AgentTool, acpTools, agentTools} from '../agent-tools.ts';
import {idLines} from '../colony-id.ts';
import {defaults} from '../defaults.ts';
import {type ForgeSettings, forgeDefaults} from '../forge.ts';
import {scaffoldBees} from './bees.ts';
import {scaffoldCues} from './cues.ts';
import type {Project} from './find-project.ts';
import {ideationBees, ideationInvites, ideationPartials, ideationPrompts} from './ideation.ts';
import {scaffoldPartials} from './partials.ts';
import {scaffoldPrompts} from './prompts.ts';
import {withoutAdded, withoutContain} from './works-with.ts';

/** Paths below `.hive/` that git must ignore (docs/rules.md §7). */
export const ignoredPaths = ['worktrees/', 'runs/', '*.local.yaml', 'cache/'];

/** What a fresh `colony.yaml` says of its repository. */
export type ColonyFacts = {
	readonly flow?: Flow | undefined;
	readonly tool: AgentTool;
	readonly project: Project;
	/** Whether every proposal is checked with the project's tests. */
	readonly verifies: boolean;
	/** Why it is not, as a clause after "Not checked"; absent if no person was asked. */
	readonly unverified?: string | undefined;
	/** True if a person accepts each plan of a bee before its tasks start. */
	readonly reviewsPlans: boolean;
	/** The forge that the remote leads to, where hive knows it. */
	readonly forge?: Pick<ForgeSettings, 'provider' | 'repository'> | undefined;
};

/** `colony.yaml` of a fresh colony. */
export const scaffoldColony = (slug: string, id: string, facts: ColonyFacts): string => `slug: ${slug}
${idLines(id)}
defaults:
  # Runs that a trace may start before it asks for more.
  energy_budget: ${defaults.energyBudget}
${moneyLimit(facts.tool)}  default_bee: ${defaults.defaultBee}
  prompt_template: default.md
${facts.reviewsPlans ? planReview : ''}# Parts of the repository that tasks can name.
sectors: {}
${workspacesOf(facts.project)}${verifyOf(facts)}${forgeOf(facts)}${facts.flow === undefined ? '' : flowInvites(facts.flow)}`;

const planReview = `  # You accept each plan of a bee before its tasks start: none, or required.
  plan_review: required
`;

/** US dollars that a trace of a fresh colony may spend. */
const maxCost = 10;

/** A limit that counts nothing would warn at every run. */
const moneyLimit = ({name, reportsCost}: AgentTool): string =>
	reportsCost
		? `  # US dollars that the runs of a trace may cost, as their tool reports it.\n  max_cost: ${maxCost}\n`
		: `  # US dollars that the runs of a trace may cost. ${name} reports no cost: "prices" in config.yaml estimate it.\n  # max_cost: ${maxCost}\n`;

const workspacesOf = ({setup, cache}: Project): string =>
	setup.length === 0
		? ''
		: `workspaces:
  # Prepare each new worktree before its first run.
  setup: ${argvs(setup)}
${cache === undefined ? '' : cacheOf(cache)}`;

const cacheOf = ({key, paths}: NonNullable<Project['cache']>): string =>
	`  # Copy what setup made into later worktrees, while these files are the same: remove the "# " below.
  # cache: [{key: [${key.join(', ')}], paths: [${paths.join(', ')}]}]
`;

const verifyOf = ({project: {tests}, verifies, unverified}: ColonyFacts): string => {
	if (tests === undefined) return '';
	const lines = ['verify:', `  commands: ${argvs([tests.command])}`, '  required: true'];
	if (verifies)
		return `# hive runs this on every proposal, and on every merge before it lands. (From ${tests.file}.)\n${lines.join('\n')}\n`;
	return `# Not checked${unverified === undefined ? '' : `: ${unverified}`}. To have hive run this on every proposal and merge, remove the "# " of the
# three lines below. (From ${tests.file}.)
${lines.map(line => `# ${line}\n`).join('')}`;
};

const forgeOf = ({forge}: ColonyFacts): string =>
	forge === undefined
		? ''
		: `# Approve a final review into a pull request: remove the "# " below. (From the remote ${forgeDefaults.remote}.)
# forge:
#   provider: ${forge.provider}
#   repository: ${forge.repository}
#   # Begin work from open issues with this label, as soon as a person with write access sets it:
#   # watch: {label: hive}
`;

/** Argvs as YAML: `[[npm, ci]]`. Their words need no quotes. */
const argvs = (commands: readonly (readonly string[])[]): string =>
	`[${commands.map(argv => `[${argv.join(', ')}]`).join(', ')}]`;

/** Texts of all other files of a fresh colony, by path below the root, for bees that run this tool. */
export const scaffoldFiles = (tool: AgentTool): ReadonlyMap<string, string> =>
	new Map([
		...below('.hive/bees', scaffoldBees(tool)),
		...below('.hive/prompts', scaffoldPrompts),
		...below('.hive/prompts/_partials', scaffoldPartials),
		...below('.hive/cues', scaffoldCues),
	]);

/** True if init wrote this text, of this hive or an earlier one. */
export const isScaffold = (path: string, text: string): boolean =>
	[...agentTools, ...acpTools].some(
		tool => withoutAdded(scaffoldFiles(tool).get(path) ?? '') === withoutAdded(text),
	);

/**
 * A text of init in place of an earlier one. An upgrade changes nothing: it is contained only if that was,
 * and the text of an earlier hive for the same tool stays.
 */
export const replacing = (earlier: string, wanted: string): string => {
	if (withoutAdded(earlier) === withoutAdded(wanted)) return earlier;
	return withoutContain(earlier) === earlier ? withoutContain(wanted) : wanted;
};

/** Texts of all files of a flow, by path below the root. Some replace those of a fresh colony. */
export const flowFiles = (flow: Flow, tool: AgentTool): ReadonlyMap<string, string> => {
	const {bees, prompts, partials} = parts[flow];
	return new Map([
		...below('.hive/bees', bees(tool)),
		...below('.hive/prompts', prompts),
		...below('.hive/prompts/_partials', partials),
	]);
};

/** The lines that a flow adds to the end of `colony.yaml`. */
export const flowInvites = (flow: Flow): string => parts[flow].invites;

const parts = {
	ideation: {
		bees: ideationBees,
		prompts: ideationPrompts,
		partials: ideationPartials,
		invites: ideationInvites,
	},
} as const;

const below = (folder: string, texts: Readonly<Record<string, string>>): [string, string][] =>
	Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]);
