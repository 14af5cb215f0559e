import {expect, test} from 'vitest';
import {parseBeeYaml} from '../../source/colony/parse/bee.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';

const parse = (text: string, file = '.hive/bees/maker.yaml') => parseBeeYaml(file, readYaml(text));

test('a bee with only a comment has every default', () => {
	expect(parse('worktree: true\n').value).toEqual({
		role: 'maker',
		file: '.hive/bees/maker.yaml',
		adapter: 'alpha',
		params: {},
		runSummary: 'auto',
		completionContract: [],
		worktree: true,
		intents: [],
		subscribes: [],
		publishes: [],
	});
});

test('every key of a bee is read', () => {
	const {value, problems, warnings} = parse(`
role: guard
adapter: beta
params: {model: fast, provider: x, thinking: high, plan: true, output_format: text}
post_exec: notify "$RESULT_FILE"
prompt_template: guard.md
system_template: sub/system.md
run_summary: required
completion_contract:
  required:
    - {type: VERIFICATION, kind_one_of: [verification.success, verification.failed]}
    - {type: INSIGHT, kind_one_of: [review.note], count: 2}
worktree: true
sector: web
intents: [Review, audit]
default_intent: Audit
timeout: 1h30m
may_start_traces: true
subscribes:
  - {type: MUTATION, kind: code.proposal.isolated}
publishes:
  - {type: VERIFICATION, kind: verification.success}
`);
	expect({problems, warnings}).toEqual({problems: [], warnings: []});
	expect(value).toEqual({
		role: 'guard',
		file: '.hive/bees/maker.yaml',
		adapter: 'beta',
		params: {model: 'fast', provider: 'x', thinking: 'high', plan: true, output_format: 'text'},
		postExec: ['notify', '$RESULT_FILE'],
		promptTemplate: 'guard.md',
		systemTemplate: 'sub/system.md',
		runSummary: 'required',
		completionContract: [
			{type: 'VERIFICATION', kindOneOf: ['verification.success', 'verification.failed'], count: 1},
			{type: 'INSIGHT', kindOneOf: ['review.note'], count: 2},
		],
		worktree: true,
		sector: 'web',
		intents: ['review', 'audit'],
		defaultIntent: 'audit',
		timeout: 5_400_000,
		mayStartTraces: true,
		subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
		publishes: [{type: 'VERIFICATION', kind: 'verification.success'}],
	});
});

test('without a dispatch, task kinds get dispatch task and all others direct', () => {
	const {value} = parse(
		'subscribes:\n- {type: SIGNAL, kind: task.ready}\n- {type: SIGNAL, kind: feature.requested}\n- {type: VERIFICATION}\n',
	);
	expect(value?.subscribes).toEqual([
		{type: 'SIGNAL', kind: 'task.ready', dispatch: 'task'},
		{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'},
		{type: 'VERIFICATION', dispatch: 'direct'},
	]);
});

test('a plain code.proposal is read as the isolated kind, with a warning', () => {
	const {value, warnings} = parse(
		'worktree: true\npublishes:\n- {type: MUTATION, kind: code.proposal}\nsubscribes:\n- {type: MUTATION, kind: code.proposal}\n',
	);
	expect(value?.publishes).toEqual([{type: 'MUTATION', kind: 'code.proposal.isolated'}]);
	expect(value?.subscribes).toEqual([{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}]);
	expect(warnings.map(({path}) => path)).toEqual(['.hive/bees/maker.yaml:3', '.hive/bees/maker.yaml:5']);
});

test('an empty output format means the default', () => {
	expect(parse('adapter: beta\nparams: {output_format: ""}\n')).toMatchObject({
		problems: [],
		value: {role: 'maker'},
	});
});

test('params.mode: plan and params.plan mean the same', () => {
	expect(parse('params: {mode: plan}\n').value?.params).toEqual({plan: true});
	expect(parse('params: {plan: true}\n').value?.params).toEqual({plan: true});
});

test('a command is a list, or a line that is split without a shell', () => {
	expect(parse('command: [run, "a b", 3]\n').value?.command).toEqual(['run', 'a b', '3']);
	expect(parse(`command: run 'a  b' "c;d" $(rm) *\n`).value?.command).toEqual([
		...['run', 'a  b', 'c;d', '$(rm)', '*'],
	]);
});

test('params of a tool may have further arguments, as a list or a line', () => {
	const args = ['-c', 'model_reasoning_effort=high'];
	for (const written of ['[-c, model_reasoning_effort=high]', '-c model_reasoning_effort=high'])
		expect(parse(`adapter: codex\nparams: {read_only: true, args: ${written}}\n`).value?.params).toEqual({
			...{read_only: true, args},
		});
});

test('a script bee ignores params with a warning, and so does any bee with a command', () => {
	const script = parse('adapter: script\ncommand: ./x\nparams: {anything: 1}\n');
	expect(script.value?.params).toEqual({});
	expect(script.warnings).toMatchObject([{path: '.hive/bees/maker.yaml:3'}]);
	const other = parse('command: tool\nparams: {model: m}\n');
	expect(other.warnings).toHaveLength(1);
});

test.each([
	['a script without a command', 'adapter: script\n', 1, 'a script bee needs a "command"'],
	[
		'an unknown adapter',
		'worktree: true\nadapter: gamma\n',
		2,
		'expected one of acp, alpha, beta, claude, codex, gemini, opencode, script',
	],
	['a quote that is not closed', 'command: "run \'x"\n', 1, "a ' quote is not closed"],
	['an empty command', 'command: []\n', 1, 'the command is empty'],
	['a role with a slash', 'role: a/b\n', 1, 'expected a name'],
	['a role that climbs out', 'role: a..b\n', 1, 'expected a name'],
	['a template that climbs out', 'prompt_template: ../x.md\n', 1, 'expected a relative path to a .md file'],
	['an absolute template', 'prompt_template: /etc/x.md\n', 1, 'expected a relative path to a .md file'],
	['a template that is no .md file', 'system_template: _partials\n', 1, 'expected a relative path to a .md'],
	['a timeout without a unit', 'timeout: 30\n', 1, 'expected a duration'],
	['a timeout that is no duration', 'timeout: soon\n', 1, 'expected a duration'],
	['a timeout past two weeks', 'timeout: 15d\n', 1, 'at most 14d'],
	['text for a truth', 'worktree: "yes"\n', 1, 'expected true or false'],
	['text for a permission', 'may_start_traces: "yes"\n', 1, 'expected true or false'],
	['a wrong event type', 'publishes:\n- {type: EVENT, kind: x}\n', 2, 'expected one of SIGNAL'],
	['a missing event type', 'subscribes:\n- {kind: x}\n', 2, '"type" is missing'],
	['a wrong dispatch', 'subscribes:\n- {type: SIGNAL, kind: x, dispatch: now}\n', 2, 'one of task, direct'],
	['a wrong run_summary', 'run_summary: maybe\n', 1, 'one of auto, required, disabled'],
	[
		'a contract without kinds',
		'completion_contract:\n  required:\n  - {type: INSIGHT, kind_one_of: []}\n',
		3,
		'"kind_one_of" names no kind',
	],
	['a model that is a flag', 'params: {model: --api-key}\n', 1, 'text that does not start with "-"'],
	['a model that is empty', 'params: {model: ""}\n', 1, 'the text is empty'],
	['a model with a tab', 'params: {model: "a\\tb"}\n', 1, 'text without control characters'],
	['a model that is a number', 'params: {model: 5}\n', 1, 'put quotes around numbers'],
	['a mode that is not plan', 'params: {mode: ask}\n', 1, 'expected one of plan'],
	['a list instead of keys', '- a\n', 1, 'expected keys and values'],
	['an empty file', '# nothing\n', 1, 'the file is empty'],
	['a torn file', 'role: "ma', 1, 'Missing closing'],
	['a key twice', 'role: a\nrole: b\n', 2, 'unique'],
])('%s is a problem of a bee file', (_, text, line, message) => {
	const {value, problems} = parse(text);
	expect(value).toBeUndefined();
	expect(problems[0]).toMatchObject({
		path: `.hive/bees/maker.yaml:${line}`,
		message: expect.stringContaining(message),
	});
});

test('an unknown key names the closest known one, and every problem is reported at once', () => {
	const {problems} = parse('worktre: true\nadapter: x\nparams:\n  modell: y\n');
	expect(problems).toMatchObject([
		{path: '.hive/bees/maker.yaml:1', hint: 'Did you mean "worktree"?'},
		{path: '.hive/bees/maker.yaml:2'},
		{path: '.hive/bees/maker.yaml:4', hint: 'Did you mean "model"?'},
	]);
});

test('a bee file whose name is not a valid role needs a role', () => {
	expect(parse('worktree: true\n', '.hive/bees/my bee.yaml').value).toBeUndefined();
	expect(parse('role: mine\n', '.hive/bees/my bee.yaml').value?.role).toBe('mine');
});
