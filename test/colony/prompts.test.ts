import {expect, test} from 'vitest';
import type {Bee, Colony} from '../../source/colony/colony.ts';
import {normaliseIntent} from '../../source/colony/intents.ts';
import {type PromptVariables, renderPrompt} from '../../source/colony/prompts.ts';
import {colonyFrom} from './sample-colony.ts';

const variables: PromptVariables = {
	Bee: 'maker',
	Adapter: 'alpha',
	TraceID: 'trace-1',
	AgentID: 'agent-1',
	TaskID: 'task-1',
	ColonyRoot: '/repo',
	Workspace: '/repo/w',
	Task: 'Fix {{.Nope}} $PROMPT',
	TraceTitle: 'Title',
	Sector: 'web',
	SectorPath: '/repo/w/web',
	Intent: 'bugfix',
	IntentRaw: 'Bugfix ',
	Insights: ['one', 'two'],
	Feedback: 'smaller',
	Evidence: 'verify failed',
	ResultFile: '/repo/r/summary.md',
	ArtifactsDir: '/repo/r/artifacts',
	Interactive: false,
	IsLastWorkTask: true,
};

const beeOf = (colony: Colony, role = 'maker'): Bee => {
	const bee = colony.bees.get(role);
	if (bee === undefined) throw new Error(`no bee ${role}`);
	return bee;
};

test('a prompt can use every variable, and values are not rendered again', async () => {
	const names = Object.keys(variables).filter(name => name !== 'Insights');
	const text = `${names.map(name => `${name}={{.${name}}}`).join('\n')}\n{{range .Insights}}[{{.}}]{{end}}`;
	const colony = await colonyFrom({
		'bees/maker.yaml': 'prompt_template: maker.md\n',
		'prompts/maker.md': text,
	});
	const rendered = renderPrompt(colony, beeOf(colony), variables);
	expect(rendered).toMatchObject({ok: true});
	expect(rendered).toMatchInlineSnapshot(`
		{
		  "ok": true,
		  "value": {
		    "prompt": "Bee=maker
		Adapter=alpha
		TraceID=trace-1
		AgentID=agent-1
		TaskID=task-1
		ColonyRoot=/repo
		Workspace=/repo/w
		Task=Fix {{.Nope}} $PROMPT
		TraceTitle=Title
		Sector=web
		SectorPath=/repo/w/web
		Intent=bugfix
		IntentRaw=Bugfix 
		Feedback=smaller
		Evidence=verify failed
		ResultFile=/repo/r/summary.md
		ArtifactsDir=/repo/r/artifacts
		Interactive=false
		IsLastWorkTask=true
		[one][two]",
		  },
		}
	`);
});

const layered = (bee: string, overlay = '') =>
	colonyFrom({
		'colony.yaml': 'slug: shop\ndefaults: {prompt_template: default.md, system_template: system.md}\n',
		'bees/maker.yaml': bee,
		...(overlay && {'bees/maker.local.yaml': overlay}),
		'prompts/default.md': 'default',
		'prompts/system.md': 'system',
		'prompts/bee.md': 'bee',
		'prompts/mine.md': 'mine',
		'prompts/_partials/note.md': 'note {{.Bee}}',
	});

test.each([
	['the colony default', 'worktree: true\n', '', undefined, {prompt: 'default', system: 'system'}],
	['the bee over the colony', 'prompt_template: bee.md\n', '', undefined, {prompt: 'bee', system: 'system'}],
	[
		'the overlay over the bee',
		'prompt_template: bee.md\n',
		'prompt_template: mine.md\nsystem_template: mine.md\n',
		undefined,
		{prompt: 'mine', system: 'mine'},
	],
	[
		'the inline template over all, with partials',
		'prompt_template: bee.md\n',
		'prompt_template: mine.md\n',
		'inline {{template "note" .}}',
		{prompt: 'inline note maker', system: 'system'},
	],
	['nothing for a script bee', 'adapter: script\ncommand: x\n', '', undefined, {prompt: ''}],
	[
		'its own template for a script bee',
		'adapter: script\ncommand: x\nprompt_template: bee.md\n',
		'',
		undefined,
		{prompt: 'bee'},
	],
])('the prompt is %s', async (_, bee, overlay, inline, value) => {
	const colony = await layered(bee, overlay);
	expect(renderPrompt(colony, beeOf(colony), variables, inline === undefined ? {} : {inline})).toEqual({
		ok: true,
		value,
	});
});

test('a bee without a prompt is refused, except in a session', async () => {
	const colony = await colonyFrom({
		'bees/maker.yaml': 'worktree: true\n',
		'bees/talker.yaml': 'system_template: s.md\n',
		'prompts/s.md': 's',
	});
	expect(renderPrompt(colony, beeOf(colony), variables)).toMatchObject({
		ok: false,
		refusal: {
			code: 'invalid_prompt',
			message: 'The bee "maker" has no prompt.',
			hint: expect.stringContaining('.hive/bees/maker.yaml'),
		},
	});
	const talker = beeOf(colony, 'talker');
	expect(renderPrompt(colony, talker, variables)).toMatchObject({ok: false});
	expect(renderPrompt(colony, talker, {...variables, Interactive: true})).toEqual({
		ok: true,
		value: {
			prompt: expect.stringMatching(/a person talks with you.*\nFix {{\.Nope}} \$PROMPT$/s),
			system: 's',
		},
	});
	const silent = {...variables, Interactive: true, Task: ' '};
	expect(renderPrompt(colony, beeOf(colony), silent)).toEqual({ok: true, value: {prompt: ''}});
});

test('a missing or broken template is refused with its file and line', async () => {
	const colony = await colonyFrom({
		'bees/maker.yaml': 'prompt_template: gone.md\n',
		'bees/other.yaml': 'prompt_template: bad.md\n',
		'prompts/bad.md': 'a\n{{.Taks}}',
	});
	expect(renderPrompt(colony, beeOf(colony), variables)).toMatchObject({
		refusal: {message: 'The bee "maker" uses .hive/prompts/gone.md, which is not there.'},
	});
	expect(renderPrompt(colony, beeOf(colony, 'other'), variables)).toMatchObject({
		refusal: {
			code: 'invalid_prompt',
			message: '.hive/prompts/bad.md:2: unknown field ".Taks".',
			hint: 'Did you mean "Task"?',
		},
	});
});

test.each([
	['intents: [a, General]\n', ' A ', 'a'],
	['intents: [a, General]\n', 'x', 'general'],
	['intents: [b, a]\n', '', 'b'],
	['intents: [b, a]\ndefault_intent: a\n', 'x', 'a'],
	['intents: [b, a]\ndefault_intent: gone\n', 'x', 'b'],
	['worktree: true\n', 'Tidy', 'tidy'],
	['worktree: true\n', 'x', 'audit'],
])('with %j the intent %j becomes %j', async (bee, raw, intent) => {
	const colony = await colonyFrom({
		'bees/maker.yaml': bee,
		'prompts/_partials/maker-intent-tidy.md': '',
		'prompts/_partials/maker-intent-audit.md': '',
		'prompts/_partials/other-intent-general.md': '',
	});
	expect(normaliseIntent(colony, beeOf(colony), raw)).toEqual({intent, raw});
});

test('a bee without a vocabulary has no intent', async () => {
	const colony = await colonyFrom({'bees/maker.yaml': 'worktree: true\n'});
	expect(normaliseIntent(colony, beeOf(colony), 'bugfix')).toEqual({intent: '', raw: 'bugfix'});
});

test('a talk that a person began has the template for talks, one by invitation that of the bee', async () => {
	const colony = await colonyFrom({
		'colony.yaml': 'slug: s\ndefaults: {interactive_template: all.md}\n',
		'bees/maker.yaml': 'prompt_template: work.md\n',
		'bees/talker.yaml': 'prompt_template: work.md\ninteractive_template: talk.md\n',
		'prompts/work.md': 'Work: {{.Task}}',
		'prompts/talk.md': 'Talk: {{.Task}}',
		'prompts/all.md': 'All: {{.Task}}',
	});
	const talk = {...variables, Interactive: true};
	const promptOf = (role: string, isInvited: boolean) => {
		const rendered = renderPrompt(colony, beeOf(colony, role), talk, {isInvited});
		return rendered.ok && rendered.value.prompt.split(':', 1)[0];
	};
	expect([promptOf('talker', false), promptOf('maker', false)]).toEqual(['Talk', 'All']);
	expect([promptOf('talker', true), promptOf('maker', true)]).toEqual(['Work', 'Work']);
	expect(renderPrompt(colony, beeOf(colony, 'talker'), variables)).toMatchObject({
		value: {prompt: `Work: ${variables.Task}`},
	});
});
