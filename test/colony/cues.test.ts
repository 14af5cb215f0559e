import {expect, test} from 'vitest';
import {expandCue} from '../../source/colony/cues.ts';
import {validateEvent} from '../../source/domain/validate-event.ts';
import {colonyFrom} from './sample-colony.ts';

const expand = async (cue: string, text = 'Add login\nWith a form.', vars = {}) =>
	expandCue(await colonyFrom({'cues/go.yaml': cue}), 'go', {
		text,
		source: 'cli',
		traceId: 'trace-1',
		vars,
	});

const signal = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\n';
const task = 'emit: task\nbee: builder\n';

test('a signal cue gives its static keys, then title and body, source and the keys of its payload template', async () => {
	const answer = await expand(
		`${signal}energy_budget: 4
static: {title: old, priority: 2, extra: kept, source: fake}
title: "{{.Title}}"
body: "{{.Body}}"
payload_template: {extra: ignored, trace: "{{.TraceID}}", who: "{{.who}}"}
`,
		undefined,
		{who: 'Ann'},
	);
	expect(answer).toEqual({
		ok: true,
		value: {
			emit: 'signal',
			budget: {energyBudget: 4},
			payload: {
				kind: 'feature.requested',
				title: 'Add login',
				body: 'With a form.',
				priority: 2,
				extra: 'kept',
				source: 'cli',
				trace: 'trace-1',
				who: 'Ann',
			},
		},
	});
});

test("a task cue gives a plan item with the colony's default budget", async () => {
	expect(await expand(`${task}intent: bugfix\nreview: required\nautorun: true\n`)).toEqual({
		ok: true,
		value: {
			emit: 'task',
			budget: {energyBudget: 12},
			autorun: true,
			item: {
				title: 'Add login',
				body: 'Add login\nWith a form.',
				bee: 'builder',
				intent: 'bugfix',
				review: 'required',
				dependsOn: [],
			},
		},
	});
});

test('a task cue without a bee goes to the default bee', async () => {
	expect(await expand('emit: task\n')).toMatchObject({value: {item: {bee: ''}}});
});

test('vars override the built-in variables, and unused vars are harmless', async () => {
	expect(
		await expand(`${task}title: "{{.Title}} {{.Source}}"\n`, 'x', {Source: 'mine', unused: '1'}),
	).toMatchObject({
		value: {item: {title: 'x mine'}},
	});
});

test('a first line that is too long for a title is cut there, and complete in the body', async () => {
	const long = 'é'.repeat(250);
	expect(await expand(`${signal}title: "{{.Title}}"\nbody: "{{.Body}}"\n`, long)).toMatchObject({
		value: {payload: {title: 'é'.repeat(200), body: long}},
	});
});

test('the title of a signal is cut to the maximum of the log', async () => {
	const payload = async (text: string) => {
		const answer = await expand(`${signal}title: "{{.Text}}"\n`, text);
		return answer.ok && answer.value.emit === 'signal' ? answer.value.payload : undefined;
	};
	for (const text of ['x'.repeat(600), `x${'😀'.repeat(300)}`]) {
		const cut = await payload(text);
		expect(validateEvent({traceId: 't', type: 'SIGNAL', payload: cut})).toMatchObject({ok: true});
		expect(String(cut?.title).length).toBeGreaterThan(498);
	}
});

test('braces in the text of a cue are data and not a template', async () => {
	expect(await expand(`${task}body: "{{.Text}}"\n`, '{{.Secret}}')).toMatchObject({
		value: {item: {title: '{{.Secret}}', body: '{{.Secret}}'}},
	});
});

test('a cue is refused without a text only if it needs one', async () => {
	const asks = {ok: false, refusal: {code: 'usage'}};
	expect(await expand(task, ' \n')).toMatchObject(asks);
	expect(await expand(`${signal}title: "{{ .Title }}"\n`, '')).toMatchObject(asks);
	expect(await expand(`${task}title: fixed\nbody: "{{if .Text}}{{.Text}}{{end}}"\n`, '')).toMatchObject(asks);
	expect(await expand(`${task}body: '{{template "part" .}}'\n`, '')).toMatchObject(asks);
	expect(await expand(`${task}title: "{{.Title}}"\n`, '', {Title: 'given'})).toMatchObject({ok: true});
	expect(await expand(`${signal}title: fixed\n`, '')).toMatchObject({value: {payload: {title: 'fixed'}}});
	expect(await expand(`${task}title: fixed\nbody: The README.Title {{.TraceID}}\n`, '')).toMatchObject({
		value: {item: {title: 'fixed', body: 'The README.Title trace-1'}},
	});
	expect(await expand(`${task}body: fixed\n`, '')).toMatchObject({
		value: {item: {title: 'go', body: 'fixed'}},
	});
	expect(await expand(`${signal}payload_template: {a: "{{.Text}}"}\n`, '')).toMatchObject({ok: false});
	expect(await expand(`${signal}payload_template: {a: "{{.TraceID}}"}\n`, '')).toMatchObject({ok: true});
});

test('a template with an unknown variable is refused, and the refusal names the closest one', async () => {
	expect(await expand(`${task}title: "{{.Tilte}}"\n`)).toMatchObject({
		ok: false,
		refusal: {code: 'invalid_prompt', hint: 'Did you mean "Title"?'},
	});
});

test('an unknown cue names the closest one, and a broken cue names its problem', async () => {
	const colony = await colonyFrom({'cues/feature.yaml': signal, 'cues/bad.yaml': 'emit: x\n'});
	const input = {text: 'x', source: 'cli', traceId: 't', vars: {}};
	expect(expandCue(colony, 'featur', input)).toMatchObject({refusal: {hint: 'Did you mean "feature"?'}});
	expect(expandCue(colony, 'bad', input)).toMatchObject({
		refusal: {code: 'invalid_config', message: '.hive/cues/bad.yaml:1: expected one of signal, task.'},
	});
});

test.each([
	['a signal without a kind', 'emit: signal\ntype: SIGNAL\n', 'a signal cue needs "kind"'],
	['a signal of another type', 'emit: signal\ntype: INSIGHT\nkind: x\n', 'expected one of SIGNAL'],
	['a task with a kind', `${task}kind: x\n`, 'a task cue does not use "kind"'],
	['a signal with a bee', `${signal}bee: x\n`, 'a signal cue does not use "bee"'],
	['a budget of nothing', `${task}energy_budget: 0\n`, 'expected a whole number above 0'],
	['a wrong review', `${task}review: maybe\n`, 'expected one of none, required, final'],
])('%s is a problem of the file', async (_, cue, message) => {
	const {problems, cues} = await colonyFrom({'cues/go.yaml': cue});
	expect(cues.size).toBe(0);
	expect(problems.map(problem => problem.message)).toEqual([message]);
});

test('a cue whose file name is not a valid id is a problem', async () => {
	const {problems} = await colonyFrom({'cues/my cue.yaml': signal});
	expect(problems).toMatchObject([{path: '.hive/cues/my cue.yaml:1'}]);
});
