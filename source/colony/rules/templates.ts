import type {Detail, Outcome} from '../../domain/errors.ts';
import type {Bee, Colony, Cue} from '../colony.ts';
import {cueTemplate} from '../cues.ts';
import {defaultIntentOf, intentsOf} from '../intents.ts';
import {type PromptVariables, renderPrompt} from '../prompts.ts';
import {checkTemplate} from '../render.ts';
import type {Rule, Trouble} from './rule.ts';

/** Rules that prompts render with sample values, and that cues can be parsed. */
export const templateRules: readonly Rule[] = [
	{
		id: 'prompt-renders',
		level: 'error',
		says: 'Every bee has a prompt that renders, for a task and without one, for each of its intents.',
		check: colony => distinct([...colony.bees.values()].flatMap(bee => tryPrompt(colony, bee))),
	},
	{
		id: 'cue-templates',
		level: 'error',
		says: 'Every template of a cue can be read; its variables are known only when it runs.',
		check: ({cues}) => [...cues.values()].flatMap(tryCue),
	},
	{
		id: 'default-intent',
		level: 'warning',
		says: 'The default intent of a bee is one of its intents.',
		check: colony =>
			[...colony.bees.values()]
				.filter(bee => bee.defaultIntent && defaultIntentOf(colony, bee) !== bee.defaultIntent)
				.map(bee => ({
					path: bee.file,
					message: `"${bee.role}" has no intent "${bee.defaultIntent}"`,
					fix: `Use one of ${intentsOf(colony, bee).join(', ') || 'none'}.`,
				})),
	},
];

const tryPrompt = (colony: Colony, bee: Bee): Trouble[] => {
	const intents = ['', ...intentsOf(colony, bee)];
	return intents.flatMap(intent =>
		[true, false].flatMap(full =>
			[true, false].flatMap(isTalk =>
				troublesOf(bee.file, renderPrompt(colony, bee, sampleVariables(bee, intent, {full, isTalk}))),
			),
		),
	);
};

const tryCue = ({id, title = '', body = '', payloadTemplate}: Cue): Trouble[] =>
	Object.entries({...payloadTemplate, title, body}).flatMap(([key, text]) =>
		troublesOf(`.hive/cues/${id}.yaml`, checkTemplate({name: cueTemplate(id, key), text})),
	);

const troublesOf = (path: string, outcome: Outcome<unknown>): Trouble[] => {
	if (outcome.ok) return [];
	const {message, hint, details} = outcome.refusal;
	// A finding's message is a phrase; the message of a refusal is a sentence.
	if (details.length === 0) return [{path, message: message.replace(/\.$/, ''), fix: hint}];
	return details.map((detail: Detail) => ({
		path: detail.path,
		message: detail.message,
		fix: detail.hint ?? hint,
	}));
};

const distinct = (troubles: readonly Trouble[]): Trouble[] => [
	...new Map(troubles.map(trouble => [`${trouble.path} ${trouble.message}`, trouble])).values(),
];

/** Values for a trial rendering. `full` sets every optional one; else they are empty. */
const sampleVariables = (
	bee: Bee,
	intent: string,
	{full, isTalk}: {readonly full: boolean; readonly isTalk: boolean},
): PromptVariables => ({
	Bee: bee.role,
	Adapter: bee.adapter,
	TraceID: 'trace',
	AgentID: 'agent',
	TaskID: full ? 'task' : '',
	ColonyRoot: '/colony',
	Workspace: '/colony',
	Task: 'Do it.',
	TraceTitle: full ? 'Title' : '',
	Sector: full ? 'sector' : '',
	SectorPath: full ? '/colony/sector' : '',
	Intent: intent,
	IntentRaw: intent,
	Insights: full ? ['Note'] : [],
	Feedback: full ? 'Feedback' : '',
	Evidence: full ? 'Evidence' : '',
	ResultFile: '/colony/summary.md',
	ArtifactsDir: '/colony/artifacts',
	Interactive: isTalk,
	IsLastWorkTask: full,
});
