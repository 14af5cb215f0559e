import {verifierRole} from '../../domain/evidence.ts';
import {noChangePolicies} from '../../domain/question.ts';
import {acpAgentNames, adapters, type Bee} from '../colony.ts';
import {contain} from './contain.ts';
import {
	command,
	duration,
	fields,
	freeForm,
	listOf,
	type Notes,
	name,
	oneOf,
	type Parsed,
	parseFile,
	plainArgument,
	type Reader,
	templatePath,
	text,
	truth,
} from './reader.ts';
import {completionContract, publication, subscription} from './rules.ts';
import {verify} from './verify.ts';
import type {YamlReading, YamlTree} from './yaml-tree.ts';

/** Reads `.hive/bees/<name>.yaml` (docs/rules.md §9). The role defaults to the file's stem. */
export const parseBeeYaml = (file: string, reading: YamlReading): Parsed<Bee> =>
	parseFile(file, reading, readBee(file));

/** The settings that `<role>.local.yaml` may override on one machine. */
export type BeeOverlay = Pick<Bee, 'promptTemplate' | 'interactiveTemplate' | 'systemTemplate'>;

/** Reads `.hive/bees/<role>.local.yaml`. */
export const parseOverlayYaml = (file: string, reading: YamlReading): Parsed<BeeOverlay> =>
	parseFile(file, reading, readOverlay);

const readOverlay: Reader<BeeOverlay> = (tree, notes) => {
	const read = overlayFields(tree, notes);
	return read && templatesOf(read);
};

const templates = {
	prompt_template: templatePath,
	interactive_template: templatePath,
	system_template: templatePath,
};

const overlayFields = fields(templates);

const templatesOf = (read: {
	readonly prompt_template?: string;
	readonly interactive_template?: string;
	readonly system_template?: string;
}): BeeOverlay => ({
	...(read.prompt_template && {promptTemplate: read.prompt_template}),
	...(read.interactive_template && {interactiveTemplate: read.interactive_template}),
	...(read.system_template && {systemTemplate: read.system_template}),
});

/** Intents are compared in lower case. */
const intent: Reader<string> = (tree, notes) => name(tree, notes)?.toLowerCase();

/** An act, with a pattern in brackets. Agent tools get rules in lists with commas, and as arguments. */
const rule: Reader<string> = (tree, notes) => {
	const read = text(tree, notes);
	if (read === undefined || /^[A-Za-z][\w:.-]*(\([^(),\n]+\))?$/.test(read)) return read;
	return notes.problem(tree.line, `"${read}" is not a permission such as edit or shell(git push *)`);
};

const beeFields = fields({
	role: name,
	adapter: oneOf(adapters),
	agent: oneOf(acpAgentNames),
	command,
	interactive_command: command,
	post_exec: command,
	params: freeForm,
	...templates,
	run_summary: oneOf(['auto', 'required', 'disabled']),
	completion_contract: completionContract,
	worktree: truth,
	sector: name,
	intents: listOf(intent),
	default_intent: intent,
	permissions: fields({allow: listOf(rule), ask: listOf(rule), deny: listOf(rule)}),
	timeout: duration('14d'),
	ask_timeout: duration('365d'),
	verify,
	contain,
	on_no_change: oneOf(noChangePolicies),
	may_start_traces: truth,
	subscribes: listOf(subscription),
	publishes: listOf(publication),
});

const readBee =
	(file: string): Reader<Bee> =>
	(tree, notes) => {
		const read = beeFields(tree, notes);
		if (read === undefined) return undefined;
		const role = read.role ?? stemOf(file, notes);
		if (role === undefined) return undefined;
		if (role === verifierRole) return notes.problem(lineOf(tree, 'role'), `"${role}" is hive's own name`);
		const adapter = read.adapter ?? 'alpha';
		if (adapter === 'script' && read.command === undefined)
			notes.problem(lineOf(tree, 'adapter'), 'a script bee needs a "command"');
		if (adapter === 'script' && read.interactive_command !== undefined)
			notes.problem(lineOf(tree, 'interactive_command'), 'a script bee has no sessions');
		checkAgent(adapter, read, lineOf(tree, read.agent === undefined ? 'adapter' : 'agent'), notes);
		return {
			role,
			file,
			adapter,
			...(read.agent && {agent: read.agent}),
			...(read.command && {command: read.command}),
			...(read.interactive_command && {interactiveCommand: read.interactive_command}),
			...(read.post_exec && {postExec: read.post_exec}),
			...readParams(adapter, adapter !== 'acp' && read.command !== undefined, tree, notes),
			...templatesOf(read),
			runSummary: read.run_summary ?? 'auto',
			completionContract: read.completion_contract?.required ?? [],
			worktree: read.worktree ?? false,
			...(read.sector && {sector: read.sector}),
			intents: read.intents ?? [],
			...(read.default_intent && {defaultIntent: read.default_intent}),
			...(read.timeout && {timeout: read.timeout}),
			...(read.permissions && {
				permissions: {
					allow: read.permissions.allow ?? [],
					ask: read.permissions.ask ?? [],
					deny: read.permissions.deny ?? [],
				},
			}),
			...(read.ask_timeout && {askTimeout: read.ask_timeout}),
			...(read.verify && {verify: read.verify}),
			...(read.contain && {contain: read.contain}),
			...(read.on_no_change && {onNoChange: read.on_no_change}),
			...(read.may_start_traces && {mayStartTraces: true as const}),
			subscribes: read.subscribes ?? [],
			publishes: read.publishes ?? [],
		};
	};

/** Adapter `acp` starts either an agent that hive knows, or the one of a command. */
const checkAgent = (
	adapter: Bee['adapter'],
	{agent, command: argv}: {readonly agent?: string; readonly command?: readonly string[]},
	line: number,
	notes: Notes,
): void => {
	if (adapter !== 'acp') {
		if (agent !== undefined) notes.problem(line, `"agent" belongs to adapter: acp, not to ${adapter}`);
		return;
	}
	if (agent === undefined && argv === undefined)
		notes.problem(line, `an acp bee needs an "agent" (${acpAgentNames.join(', ')}) or a "command"`);
	if (agent !== undefined && argv !== undefined)
		notes.problem(line, 'an acp bee has an "agent" or a "command", not both');
};

/** Empty means the default format. */
const outputFormat: Reader<string> = (tree, notes) =>
	tree.type === 'scalar' && tree.value === '' ? '' : plainArgument(tree, notes);

const paramReaders = {
	model: plainArgument,
	output_format: outputFormat,
	trust: truth,
	force: truth,
	plan: truth,
	mode: oneOf(['plan']),
	binary: plainArgument,
	provider: plainArgument,
	thinking: plainArgument,
	read_only: truth,
	resume: truth,
	args: command,
};

/** The params that the adapters know. */
export const paramNames: readonly string[] = Object.keys(paramReaders);

const paramFields = fields(paramReaders);

/**
 * The params of an adapter; `mode: plan` becomes `plan: true`. A command makes them ineffective
 * (docs/rules.md §8).
 */
const readParams = (
	adapter: Bee['adapter'],
	hasCommand: boolean,
	tree: YamlTree,
	notes: Notes,
): Pick<Bee, 'params' | 'ignoresParams'> => {
	const params = tree.type === 'map' ? tree.entries.get('params') : undefined;
	if (params === undefined || params.type !== 'map' || params.entries.size === 0) return {params: {}};
	if (hasCommand)
		notes.warning(params.line, '"params" are ignored: the bee has a "command"', 'Remove one of the two.');
	const ignored = hasCommand && {ignoresParams: true};
	if (adapter === 'script') return {params: {}, ...ignored};
	const {mode, ...read} = paramFields(params, notes) ?? {};
	return {params: mode === 'plan' ? {...read, plan: true} : read, ...ignored};
};

const stemOf = (file: string, notes: Notes): string | undefined => {
	const stem = file.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
	return name({type: 'scalar', line: 1, value: stem, source: stem}, notes);
};

const lineOf = (tree: YamlTree, key: string): number =>
	(tree.type === 'map' ? tree.entries.get(key)?.line : undefined) ?? tree.line;
