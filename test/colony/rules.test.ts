import {expect, test} from 'vitest';
import {explainPlanProblems} from '../../source/colony/plan-problems.ts';
import {checkColony, needsOf, rules} from '../../source/colony/rules.ts';
import {colonyFrom} from './sample-colony.ts';

const nothingMissing = {missingPrograms: new Set<string>(), missingFolders: new Set<string>()};

const healthy = {
	'colony.yaml': 'slug: shop\ndefaults: {prompt_template: default.md}\nsectors: {web: {path: web}}\n',
	'prompts/default.md': '{{.Task}}',
	'bees/builder.yaml': `worktree: true
sector: web
subscribes: [{type: SIGNAL, kind: task.ready}]
publishes: [{type: MUTATION, kind: code.proposal.isolated}]
`,
	'bees/guard.yaml': `worktree: true
subscribes: [{type: MUTATION, kind: code.proposal.isolated}]
publishes: [{type: VERIFICATION, kind: verification.success}, {type: VERIFICATION, kind: verification.failed}]
`,
	'bees/scout.yaml': 'subscribes: [{type: SIGNAL, kind: feature.requested}]\n',
	'cues/feature.yaml': 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n',
	'cues/fix.yaml': 'emit: task\nbee: builder\ntitle: "{{.Title}} for {{.who}}"\n',
};

const inviting = (invite: string, kind = 'spec.ready') => ({
	'colony.yaml': `${healthy['colony.yaml']}auto_invites: [{when: {type: SIGNAL, kind: ${kind}}, invite: ${invite}}]\n`,
});

const find = async (changes: Readonly<Record<string, string>>, facts = nothingMissing) =>
	checkColony(await colonyFrom({...healthy, ...changes}), facts);

test('a correctly wired colony has no findings', async () => {
	expect(await find({})).toEqual([]);
});

test('the signal of a cue may invite a person instead of starting a bee', async () => {
	const cue = {'cues/talk.yaml': 'emit: signal\ntype: SIGNAL\nkind: talk.wanted\n'};
	expect(await find(cue)).toMatchObject([{rule: 'cue-heard'}]);
	expect(await find({...cue, ...inviting('{bee: scout}', 'talk.wanted')})).toEqual([]);
});

test('a guard of any proposal watches proposals of every workspace', async () => {
	const mason = 'publishes: [{type: MUTATION, kind: code.proposal.root}]\n';
	const guard = 'subscribes: [{type: MUTATION}]\n';
	expect(await find({'bees/mason.yaml': mason, 'bees/any.yaml': guard})).toEqual([]);
	expect(await find({'bees/mason.yaml': mason, 'bees/any.yaml': `worktree: true\n${guard}`})).toEqual([]);
	expect(await find({'bees/mason.yaml': `${mason}${guard}`})).toMatchObject([
		{rule: 'unwatched-proposals', path: '.hive/bees/mason.yaml'},
	]);
});

test('a guard may receive the proposals of a workspace in which it does not work itself', async () => {
	const verdicts =
		'publishes: [{type: VERIFICATION, kind: verification.success}, {type: VERIFICATION, kind: verification.failed}]\n';
	const takes = (kind: string) => `subscribes: [{type: MUTATION, kind: ${kind}}]\n${verdicts}`;
	const guards = {
		'bees/x.yaml': takes('code.proposal.isolated'),
		'bees/y.yaml': `worktree: true\n${takes('code.proposal.root')}`,
	};
	expect(await find(guards)).toEqual([]);
});

test('a contract that the bee can fulfil has no finding', async () => {
	const contract = (rule: string, more = '') =>
		find({'bees/x.yaml': `completion_contract: {required: [${rule}]}\n${more}`});
	const either = '{type: VERIFICATION, kind_one_of: [verification.success, verification.failed]}';
	const published = 'publishes: [{type: VERIFICATION, kind: verification.success}]\n';
	expect(await contract(either, published)).toEqual([]);
	expect(await contract('{type: MUTATION, kind_one_of: [code.proposal.root, own.change]}')).toEqual([]);
	expect(await contract('{type: SIGNAL, kind_one_of: [own.word], count: 2}', published)).toEqual([]);
	expect(await find({'bees/x.yaml': 'run_summary: required\n'})).toEqual([]);
	expect(await find({'bees/x.yaml': 'run_summary: required\npublishes: [{type: INSIGHT}]\n'})).toEqual([]);
});

test('a task rule without a kind receives tasks', async () => {
	expect(await find({'bees/x.yaml': 'subscribes: [{type: SIGNAL, dispatch: task}]\n'})).toEqual([]);
});

const broken: [rule: string, what: string, changes: Record<string, string>, message: string][] = [
	[
		'verify-unproposed',
		'a bee that proposes nothing, and verifies it',
		{'bees/x.yaml': 'verify: make check\n'},
		'"x" has a "verify", but proposes nothing that could be verified',
	],
	[
		'verify-unproposed',
		'a colony that verifies what nobody proposes',
		{
			'colony.yaml':
				'slug: shop\ndefaults: {default_bee: builder}\nsectors: {web: web}\nverify: make check\n',
			'bees/builder.yaml': 'prompt_template: builder.md\n',
		},
		'no bee proposes what "verify" would verify',
	],
	['files-read', 'a bee that cannot be read', {'bees/x.yaml': 'adapter: y\n'}, 'expected one of acp, alpha'],
	[
		'files-plain',
		'the bare alias',
		{'bees/x.yaml': 'worktree: true\npublishes: [{type: MUTATION, kind: code.proposal}]\n'},
		'is an alias of',
	],
	[
		'publish-mismatch',
		'a worktree bee that publishes root proposals',
		{'bees/x.yaml': 'worktree: true\npublishes: [{type: MUTATION, kind: code.proposal.root}]\n'},
		'publishes code.proposal.root but has worktree: true',
	],
	[
		'publish-mismatch',
		'a root bee that publishes isolated proposals',
		{'bees/x.yaml': 'publishes: [{type: MUTATION, kind: code.proposal.isolated}]\n'},
		'publishes code.proposal.isolated but has worktree: false',
	],
	[
		'kind-type',
		'a kind under another type',
		{'bees/x.yaml': 'publishes: [{type: SIGNAL, kind: task.plan}]\n'},
		'task.plan is a kind of INSIGHT, not of SIGNAL',
	],
	[
		'direct-denied',
		'a bee started by a platform signal',
		{'bees/x.yaml': 'subscribes: [{type: SIGNAL, kind: energy.add}]\n'},
		'SIGNAL/energy.add never starts a bee directly',
	],
	[
		'kind-type',
		'a contract of a kind under another type',
		{'bees/x.yaml': 'completion_contract: {required: [{type: SIGNAL, kind_one_of: [task.plan]}]}\n'},
		'task.plan is a kind of INSIGHT, not of SIGNAL',
	],
	[
		'contract-unmet',
		'a verdict that the bee does not declare',
		{
			'bees/x.yaml':
				'publishes: [{type: VERIFICATION}]\ncompletion_contract: {required: [{type: VERIFICATION, kind_one_of: [verification.success]}]}\n',
		},
		'"x" must emit 1 of verification.success, but may not emit it',
	],
	[
		'contract-unmet',
		'what agents may never say',
		{'bees/x.yaml': 'completion_contract: {required: [{type: SIGNAL, kind_one_of: [energy.foo]}]}\n'},
		'"x" must emit 1 of energy.foo, but may not emit it',
	],
	[
		'contract-unmet',
		'counts that exclude each other',
		{
			'bees/x.yaml':
				'completion_contract: {required: [{type: SIGNAL, kind_one_of: [go], count: 2}, {type: SIGNAL, kind_one_of: [go, stop]}]}\n',
		},
		'"x" must emit 2 of go, but also exactly 1 of go or stop',
	],
	[
		'contract-unaided',
		'a proposal that is published after the check',
		{
			'bees/x.yaml':
				'worktree: true\npublishes: [{type: MUTATION, kind: code.proposal.isolated}]\ncompletion_contract: {required: [{type: MUTATION, kind_one_of: [code.proposal.isolated]}]}\n',
		},
		'"x" must emit 1 of code.proposal.isolated, but hive publishes proposals after it checks the contract',
	],
	[
		'contract-unaided',
		'a summary that is required and not declared',
		{'bees/x.yaml': 'run_summary: required\npublishes: [{type: INSIGHT, kind: task.plan}]\n'},
		'"x" requires a run.summary, but hive makes none from its output',
	],
	[
		'verdict-given',
		'a verdict that only the bee itself may give',
		{
			'bees/guard.yaml': 'subscribes: [{type: MUTATION}]\n',
			'bees/x.yaml':
				'subscribes: [{type: VERIFICATION, kind: verification.failed}]\npublishes: [{type: VERIFICATION, kind: verification.failed}]\n',
		},
		'"x" takes verification.failed, which no other bee publishes',
	],
	[
		'direct-denied',
		'a bee started by a kind of honey that nobody knows',
		{'bees/x.yaml': 'subscribes: [{type: SIGNAL, kind: energy.foo}]\n'},
		'SIGNAL/energy.foo never starts a bee directly',
	],
	[
		'direct-denied',
		'a bee started by a kind of proposal that nobody knows',
		{'bees/x.yaml': 'subscribes: [{type: MUTATION, kind: code.proposal.odd}]\n'},
		'MUTATION/code.proposal.odd never starts',
	],
	[
		'direct-denied',
		'a bee started by a kind of verdict that nobody knows',
		{'bees/x.yaml': 'subscribes: [{type: VERIFICATION, kind: verification.odd}]\n'},
		'VERIFICATION/verification.odd never starts',
	],
	[
		'direct-denied',
		'a bee started by an insight',
		{'bees/x.yaml': 'subscribes: [{type: INSIGHT, kind: run.summary}]\n'},
		'INSIGHT/run.summary never starts',
	],
	[
		'task-dispatch',
		'another kind dispatched as a task',
		{'bees/x.yaml': 'subscribes: [{type: SIGNAL, kind: spec.ready, dispatch: task}]\n'},
		'SIGNAL/spec.ready with dispatch: task starts nothing',
	],
	[
		'own-receiver',
		'a bee that waits for itself',
		{
			'bees/x.yaml':
				'worktree: true\npublishes: [{type: MUTATION, kind: code.proposal.isolated}, {type: VERIFICATION, kind: task.completed}]\n',
		},
		'both proposes and publishes task.completed',
	],
	[
		'idle-receiver',
		'a receiver that nothing starts',
		{'bees/x.yaml': 'publishes: [{type: VERIFICATION, kind: task.completed}]\n'},
		'no event starts it',
	],
	[
		'unwatched-proposals',
		'root proposals without a guard',
		{'bees/x.yaml': 'publishes: [{type: MUTATION, kind: code.proposal.root}]\n'},
		'no bee reviews the root proposals of "x"',
	],
	[
		'cue-kind',
		'a cue that publishes a kind of another type',
		{'cues/x.yaml': 'emit: signal\ntype: SIGNAL\nkind: task.plan\n'},
		'task.plan is a kind of INSIGHT, and a cue publishes a SIGNAL',
	],
	[
		'half-guard',
		'a root guard with one verdict',
		{
			'bees/x.yaml':
				'subscribes: [{type: MUTATION, kind: code.proposal.root}]\npublishes: [{type: VERIFICATION, kind: verification.success}]\n',
		},
		'does not publish verification.failed',
	],
	[
		'commands-escape',
		'a command with a backslash that escapes',
		{'bees/x.yaml': 'adapter: script\ncommand: ./x \\"a\\"\n'},
		'a backslash in the command now escapes the next character',
	],
	[
		'default-bee',
		'a default bee that is not there',
		{
			'colony.yaml':
				'slug: a\ndefaults: {prompt_template: default.md, default_bee: bulder}\nsectors: {web: web}\n',
		},
		'the default bee "bulder" does not exist',
	],
	[
		'default-bee',
		'a default bee that takes no tasks',
		{
			'colony.yaml':
				'slug: a\ndefaults: {prompt_template: default.md, default_bee: scout}\nsectors: {web: web}\n',
		},
		'the default bee "scout" does not take tasks',
	],
	['sector-known', 'an unknown sector', {'bees/x.yaml': 'sector: wbe\n'}, 'works in the sector "wbe"'],
	['cue-bee', 'a cue for no bee', {'cues/x.yaml': 'emit: task\nbee: bilder\n'}, 'there is no bee "bilder"'],
	[
		'cue-bee',
		'a cue for a bee that takes no tasks',
		{'cues/x.yaml': 'emit: task\nbee: scout\n'},
		'does not take',
	],
	[
		'review-final-root',
		'a final review of a root bee',
		{
			'bees/x.yaml': 'publishes: [{type: MUTATION, kind: code.proposal.root}]\n',
			'cues/x.yaml': 'emit: task\nbee: x\nreview: final\n',
		},
		'review: final, but "x" publishes code.proposal.root',
	],
	[
		'forge-watch-cue',
		'a cue for issues that does not exist',
		{
			'colony.yaml': `${healthy['colony.yaml']}forge: {provider: github, repository: a/b, watch: {label: x, cue: featur}}\n`,
		},
		'"watch" of "forge" names the cue "featur", which does not exist',
	],
	[
		'cue-heard',
		'a signal that nobody takes',
		{'cues/x.yaml': 'emit: signal\ntype: SIGNAL\nkind: spec.ready\n'},
		'no bee takes spec.ready',
	],
	[
		'prompt-renders',
		'a prompt that is missing',
		{'bees/x.yaml': 'prompt_template: no.md\n'},
		'no.md, which is not',
	],
	[
		'prompt-renders',
		'a fault that only one intent meets',
		{
			'bees/x.yaml': 'prompt_template: x.md\nintents: [a, b]\n',
			'prompts/x.md': '{{if eq .Intent "b"}}{{.Nope}}{{end}}',
		},
		'unknown field ".Nope"',
	],
	[
		'invite-bee',
		'an invite to a bee that is not there',
		inviting('{bee: {default: bilder}}'),
		'there is no bee "bilder"',
	],
	[
		'invite-bee',
		'an invite to a script',
		{...inviting('{bee: {default: tool}}'), 'bees/tool.yaml': 'adapter: script\ncommand: [true]\n'},
		'"tool" is a script, which has no interactive session',
	],
	[
		'invite-kind',
		'a kind that an invite names under another type',
		inviting('{bee: {default: scout}}', 'task.plan'),
		'task.plan is a kind of INSIGHT, not of SIGNAL',
	],
	[
		'invite-kind',
		'a kind that completes an invite under another type',
		inviting('{bee: scout, done_when: {when: {type: SIGNAL, kind: run.summary}, require_file: {from: ref}}}'),
		'run.summary is a kind of INSIGHT',
	],
	[
		'invite-intent',
		'an intent that the bee of an invite lacks',
		{...inviting('{bee: drone, intent: {default: griling}}'), 'bees/drone.yaml': 'intents: [grilling]\n'},
		'"drone" has no intent "griling"',
	],
	[
		'cue-templates',
		'a cue with a broken template',
		{'cues/x.yaml': 'emit: task\nbee: builder\ntitle: "{{if .Nope}}"\n'},
		'"if" is not closed',
	],
	[
		'default-intent',
		'a default intent that is not known',
		{'bees/x.yaml': 'intents: [a]\ndefault_intent: b\n'},
		'no intent "b"',
	],
];

test.each(broken)('%s reports %s', async (rule, _, changes, message) => {
	const found = (await find(changes)).filter(finding => finding.rule === rule);
	expect(found).toHaveLength(1);
	expect(found[0]?.message).toContain(message);
	expect(found[0]?.fix).toMatch(/\.|\?$/);
	expect(found[0]?.path).toMatch(/^\.hive\//);
});

test('a broken bee is reported as left out, and a broken overlay is not', async () => {
	const found = await find({'bees/x.yaml': 'adapter: y\n', 'bees/guard.local.yaml': 'adapter: y\n'});
	expect(found.map(({path, fix}) => [path, fix.endsWith('Until then its bee is left out.')])).toEqual([
		['.hive/bees/x.yaml:1', true],
		['.hive/bees/guard.local.yaml:1', false],
	]);
});

test('missing programs and folders of the machine are reported once per bee and sector', async () => {
	const facts = {missingPrograms: new Set(['alpha']), missingFolders: new Set(['web'])};
	const found = await find({}, facts);
	expect(found.map(({rule}) => rule)).toEqual([
		'sector-folder',
		'program-found',
		'program-found',
		'program-found',
	]);
});

test('a missing program that verifies is an error if it is required, and else a warning', async () => {
	const proposes = 'worktree: true\npublishes: [{type: MUTATION, kind: code.proposal.isolated}]\n';
	const files = {
		'bees/x.yaml': `${proposes}verify: {commands: [[gone, x], [./own]], required: true}\n`,
		'bees/y.yaml': `${proposes}verify: [gone too]\n`,
	};
	const facts = {missingPrograms: new Set(['gone', 'gone too', './own']), missingFolders: new Set<string>()};
	const found = await find(files, facts);
	expect(found.filter(({rule}) => rule.startsWith('verify'))).toMatchObject([
		{
			rule: 'verify-unmet',
			level: 'error',
			path: '.hive/bees/x.yaml',
			message: expect.stringContaining('"gone"'),
		},
		{rule: 'verify-program', level: 'warning', fix: expect.stringContaining('list of lists')},
	]);
	expect(needsOf(await colonyFrom({...healthy, ...files})).programs).toContain('gone');
});

test('the machine is asked for the program of every bee and the folder of every sector', async () => {
	const colony = await colonyFrom({
		...healthy,
		'bees/x.yaml': 'adapter: script\ncommand: ./run me\n',
		'bees/y.yaml': 'adapter: beta\nparams: {binary: other}\n',
	});
	expect(needsOf(colony)).toEqual({programs: ['alpha', './run', 'other'], folders: ['web']});
});

test('errors come before warnings, and warnings before advice', async () => {
	const found = await find({
		'bees/x.yaml': 'publishes: [{type: MUTATION, kind: code.proposal.root}]\n',
		'bees/y.yaml': 'sector: nowhere\n',
		'cues/x.yaml': 'emit: signal\ntype: SIGNAL\nkind: spec.ready\n',
	});
	expect(found.map(({level}) => level)).toEqual(['error', 'warning', 'advisory']);
});

test('a broken colony triggers every rule that needs no machine', () => {
	const tried = new Set([
		...broken.map(([rule]) => rule),
		'sector-folder',
		'program-found',
		'verify-unmet',
		'verify-program',
	]);
	expect(rules.map(({id}) => id).filter(id => !tried.has(id))).toEqual([]);
});

const planned = async (item: object, changes: Readonly<Record<string, string>> = {}) =>
	explainPlanProblems(await colonyFrom({...healthy, ...changes}), [
		{taskId: 'fine', title: 'Fine', bee: 'builder', sector: 'web'},
		{taskId: 'second', title: 'Second', ...item},
	]);

test('a plan for existing bees and sectors has no problems', async () => {
	expect(await planned({})).toEqual([]);
	expect(await planned({review: 'final', bee: 'builder'})).toEqual([]);
});

test.each([
	['an unknown bee', {bee: 'bilder'}, 'bee', 'there is no bee "bilder"', 'Did you mean "builder"?'],
	[
		'a bee that takes no tasks',
		{bee: 'scout'},
		'bee',
		'the bee "scout" does not take tasks',
		'Choose builder',
	],
	['an unknown sector', {sector: 'wbe'}, 'sector', 'there is no sector "wbe"', 'Did you mean "web"?'],
])('%s is a problem of the plan', async (_, item, field, message, hint) => {
	expect(await planned(item)).toEqual([
		{path: `payload.tasks.1.${field}`, message, hint: expect.stringContaining(hint)},
	]);
});

test('a final review of a root-publishing bee is a problem, and every problem is reported', async () => {
	const changes = {'bees/x.yaml': 'publishes: [{type: MUTATION, kind: code.proposal.root}]\n'};
	expect(await planned({bee: 'x', review: 'final', sector: 'no'}, changes)).toMatchObject([
		{path: 'payload.tasks.1.sector'},
		{path: 'payload.tasks.1.review'},
	]);
	expect(await planned({bee: 'x', review: 'required'}, changes)).toEqual([]);
});

test('a plan for a bee whose file is broken is reported with the file', async () => {
	expect(await planned({bee: 'x'}, {'bees/x.yaml': 'adapter: y\n'})).toMatchObject([
		{
			hint: 'Fix .hive/bees/x.yaml:1: expected one of acp, alpha, beta, claude, codex, gemini, opencode, script.',
		},
	]);
});
