import type {Flow} from '../../domain/flow.ts';
import type {AgentTool} from '../agent-tools.ts';
import {idLines} from '../colony-id.ts';
import {defaults} from '../defaults.ts';
import {scaffoldBees} from './bees.ts';
import {scaffoldCues} from './cues.ts';
import {ideationBees, ideationInvites, ideationPartials, ideationPrompts} from './ideation.ts';
import {scaffoldPartials} from './partials.ts';
import {scaffoldPrompts} from './prompts.ts';

/** Paths below `.hive/` that git must ignore (docs/rules.md §7). */
export const ignoredPaths = ['worktrees/', 'runs/', '*.local.yaml', 'cache/'];

/** `colony.yaml` of a fresh colony. */
export const scaffoldColony = (slug: string, id: string, flow?: Flow): string => `slug: ${slug}
${idLines(id)}
defaults:
  # Runs that a trace may start before it asks for more.
  energy_budget: ${defaults.energyBudget}
  default_bee: ${defaults.defaultBee}
  prompt_template: default.md
# Parts of the repository that tasks can name.
sectors: {}
${flow === undefined ? '' : flowInvites(flow)}`;

/** Texts of all other files of a fresh colony, by path below the root, for bees that run this tool. */
export const scaffoldFiles = (tool: AgentTool): ReadonlyMap<string, string> =>
	new Map([
		...below('.hive/bees', scaffoldBees(tool)),
		...below('.hive/prompts', scaffoldPrompts),
		...below('.hive/prompts/_partials', scaffoldPartials),
		...below('.hive/cues', scaffoldCues),
	]);

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
