import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Bee, Colony} from './colony.ts';
import type {BeeOverlay} from './parse/bee.ts';
import {promptFile, render} from './render.ts';
import {talkPrompt} from './talk-prompt.ts';
import type {TemplateSource} from './template/render.ts';

/**
 * The variables of a prompt template (docs/rules.md §9, docs/architecture.md §6). Paths are absolute, except
 * `SectorPath`.
 */
export type PromptVariables = {
	readonly Bee: string;
	readonly Adapter: string;
	readonly TraceID: string;
	readonly AgentID: string;
	/** Empty without a task. */
	readonly TaskID: string;
	readonly ColonyRoot: string;
	readonly Workspace: string;
	/** The work to do: the text of the task or the event. */
	readonly Task: string;
	readonly TraceTitle: string;
	readonly Sector: string;
	/** Relative to the checkout. Empty without a sector. */
	readonly SectorPath: string;
	readonly Intent: string;
	/** The intent as the caller wrote it. */
	readonly IntentRaw: string;
	/** The newest notes of earlier runs and people; see `newestNotes` for their number. */
	readonly Insights: readonly string[];
	/** Changes that a person requested. Empty if there are none. */
	readonly Feedback: string;
	/**
	 * Why the verification of the task's newest proposal failed, with the end of its output. Empty otherwise.
	 */
	readonly Evidence: string;
	/** The file for the run's summary. */
	readonly ResultFile: string;
	readonly ArtifactsDir: string;
	readonly Interactive: boolean;
	/** True if the trace has no other work left. */
	readonly IsLastWorkTask: boolean;
};

export type RenderedPrompt = {readonly prompt: string; readonly system?: string};

/**
 * Renders the prompt and system text of one run. The template of the prompt is `inline`, else the bee's (a
 * local overlay comes first), else the colony's default. Script bees do not use the colony's default, and
 * need no prompt. A session that a person began has a talking prompt instead: the bee's
 * `interactiveTemplate`, else the colony's, else hive's own. Other bees without a template are refused with
 * `invalid_prompt`.
 *
 * @param isInvited the bee asked for the session, so its own prompt is the talking one
 */
export const renderPrompt = (
	colony: Colony,
	bee: Bee,
	variables: PromptVariables,
	{inline, isInvited = false}: {inline?: string; isInvited?: boolean} = {},
): Outcome<RenderedPrompt> => {
	const {prompt, system} = templatesFor(colony, bee);
	const isScript = bee.adapter === 'script';
	// A session without a first message starts its program without a prompt.
	const hasNoMessage = variables.Interactive && variables.Task.trim() === '';
	const template = hasNoMessage
		? accepted(undefined)
		: variables.Interactive && !isInvited
			? findTalk(colony, bee)
			: findTemplate(colony, bee, prompt);
	const promptSource = inline === undefined ? template : accepted({name: '--prompt', text: inline});
	if (!promptSource.ok) return promptSource;
	if (promptSource.value === undefined && !isScript && !variables.Interactive)
		return refuseMissingPrompt(bee);
	const systemSource = findTemplate(colony, bee, system);
	if (!systemSource.ok) return systemSource;
	const rendered = render(
		colony,
		promptSource.value ?? {name: bee.file, text: variables.Interactive && !hasNoMessage ? '{{.Task}}' : ''},
		variables,
	);
	if (!rendered.ok || systemSource.value === undefined)
		return rendered.ok ? accepted({prompt: rendered.value}) : rendered;
	const systemText = render(colony, systemSource.value, variables);
	return systemText.ok ? accepted({prompt: rendered.value, system: systemText.value}) : systemText;
};

/** Paths of a bee's templates. The colony's defaults are used for missing ones, except by script bees. */
const templatesFor = ({defaults}: Colony, bee: Bee): {prompt?: string; system?: string} => {
	const fallback: BeeOverlay = bee.adapter === 'script' ? {} : defaults;
	const prompt = bee.promptTemplate ?? fallback.promptTemplate;
	const system = bee.systemTemplate ?? fallback.systemTemplate;
	return {...(prompt && {prompt}), ...(system && {system})};
};

/** The template of a session that a person began. */
const findTalk = (colony: Colony, bee: Bee): Outcome<TemplateSource | undefined> => {
	const path = bee.interactiveTemplate ?? colony.defaults.interactiveTemplate;
	return path === undefined
		? accepted({name: 'the talking prompt', text: talkPrompt})
		: findTemplate(colony, bee, path);
};

const findTemplate = (
	colony: Colony,
	bee: Bee,
	path: string | undefined,
): Outcome<TemplateSource | undefined> => {
	if (path === undefined) return accepted(undefined);
	const text = colony.prompts.get(path);
	if (text !== undefined) return accepted({name: promptFile(path), text});
	return refuse('invalid_prompt', {
		message: `The bee "${bee.role}" uses ${promptFile(path)}, which is not there.`,
		hint: 'Create the file, or name another template in the bee.',
	});
};

const refuseMissingPrompt = ({role, file}: Bee) =>
	refuse('invalid_prompt', {
		message: `The bee "${role}" has no prompt.`,
		hint: `Set prompt_template in ${file}, or defaults.prompt_template in .hive/colony.yaml.`,
	});
