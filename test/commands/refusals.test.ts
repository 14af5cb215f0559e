import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {type ColonyOnDisk, createColony, linesOf} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';
import {runLine} from '../helpers/run-line.ts';

/** Returns exit code and standard error of a refusal, and expects an empty standard output. */
const refusal = async (colony: ColonyOnDisk, ...args: string[]) => {
	const {exitCode, stdout, stderr} = await runLine(args, {cwd: colony.root, env: colony.env});
	expect(stdout).toBe('');
	return `${exitCode} ${stderr}`;
};

describe('a refused command', () => {
	it('exits with 2 for a mistyped word and names the closest one', async () => {
		const colony = await createColony();
		expect(await refusal(colony, 'statu')).toBe(
			'2 hive: There is no command "hive statu".\nDid you mean "hive status"? See "hive help".\n',
		);
		expect(await refusal(colony, 'task', 'craete')).toContain('Did you mean "hive task create"?');
		expect(await refusal(colony, 'status', '--jsn')).toMatch(
			/^2 .*\n {2}--jsn is not a flag of this command \(Did you mean --json\?\)/,
		);
		expect(await refusal(colony, 'energy', 'add', '--amount', '0', '--trace')).toBe(
			'2 hive: "hive energy add" cannot be run as given.\n' +
				'  --trace needs a value (Write --trace=<value> when the value starts with a dash.)\n' +
				'  --trace is required\n  --amount must be 1 or more\nSee "hive help energy add".\n',
		);
	});

	it('exits with 2 for flags of a single task beside a plan, before it reads the plan', async () => {
		const colony = await createColony();
		expect(await refusal(colony, 'task', 'create', '--plan', 'x', '--stdin', '--depends-on', 'a')).toMatch(
			/^2 hive: A plan describes its tasks itself; leave out --stdin, --depends-on\.\n/,
		);
		expect(await refusal(colony, 'status', '-C', join(colony.root, 'nowhere'))).toContain(
			`There is no folder ${colony.root}/nowhere.`,
		);
	});

	it('exits with 5 for a param that the colony does not let a request set, and lists those that it does', async () => {
		const cue = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Text}}"\n';
		const colony = await createColony({
			settings: {defaults: {plan_params: ['model']}},
			files: {'.hive/cues/feature.yaml': cue},
		});
		const refused =
			'5 hive: The request sets params that it may not set; nothing was published.\n' +
			'  params.force this colony lets no plan or request set "force" (Allowed: model.)\n' +
			'Fix the listed params.\n';
		for (const words of [
			['cue', 'run', 'feature', 'x'],
			['bee', 'run', 'builder', '-b', 'x'],
		])
			expect(await refusal(colony, ...words, '--param', 'model=opus', '--param', 'force=yes')).toBe(refused);
		expect(await refusal(colony, 'task', 'create', '-b', 'x', '--param', 'force=yes')).toMatch(
			/^5 .*\n {2}--param this colony lets no plan or request set "force" \(Allowed: model\.\)\n/,
		);
		expect(await refusal(colony, 'cue', 'run', 'feature', 'x', '--param', 'model')).toMatch(
			/^2 hive: --param needs name=value, not "model"\./,
		);
		expect(await refusal(colony, 'cue', 'run', 'feature', 'x', '--param', 'model=--yolo')).toMatch(
			/^5 .*\n {2}params\.model must be text that does not start with "-"\n/,
		);
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
	});

	it('exits with 2 for params of a trace that has begun', async () => {
		const cue = 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Text}}"\n';
		const colony = await createColony({
			settings: {defaults: {plan_params: ['model']}},
			files: {'.hive/cues/feature.yaml': cue},
		});
		const ask = ['cue', 'run', 'feature', 'x', '--trace', 't', '--param', 'model=opus'];
		await colony.ask(ask);
		expect(await refusal(colony, ...ask)).toMatch(
			/^2 hive: The trace t has begun: params of all its runs are set when it starts\.\n/,
		);
	});

	it('exits with 5 for a cue with an invalid signal, and publishes nothing', async () => {
		const cue = 'emit: signal\ntype: SIGNAL\nkind: energy.add\nstatic: {amount: -4}\n';
		const colony = await createColony({files: {'.hive/cues/honey.yaml': cue}});
		expect(await refusal(colony, 'cue', 'run', 'honey', 'x', '--trace', 't')).toMatch(
			/^5 hive: The cue "honey" makes an event that is not valid; nothing was published\.\n {2}payload\.amount must be a positive whole number\n/,
		);
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
	});

	it('exits with 5 outside a repository or colony, and names file and line of broken YAML', async () => {
		const nowhere = await realpath(await mkdtemp(join(tmpdir(), 'hive-nowhere-')));
		onTestFinished(() => rm(nowhere, {recursive: true, maxRetries: 5, retryDelay: 100}));
		const outside = await runLine(['status', '--json'], {cwd: nowhere, env: {HOME: nowhere}});
		expect([outside.exitCode, JSON.parse(outside.stdout)]).toEqual([
			5,
			{
				v: 1,
				ok: false,
				error: {
					code: 'not_a_repository',
					message: `${nowhere} is not in a git repository.`,
					hint: 'Run "git init" first, or pass -C <dir>.',
					details: [],
				},
			},
		]);
		const bare = await createRepository({'readme.md': 'No colony.\n'});
		const without = await runLine(['status', '-C', bare.root], {cwd: nowhere, env: {HOME: nowhere}});
		expect(`${without.exitCode} ${without.stderr}`).toMatch(/^5 .*\nRun "hive init" in the repository\.\n$/);

		const colony = await createColony();
		await colony.write('.hive/bees/broken.yaml', 'adapter: script\ncommand: [sh\nworktree: true\n');
		expect((await colony.hive(['status'])).stdout).toMatch(/^\.hive\/bees\/broken\.yaml:[23]: /m);
		expect(await refusal(colony, 'task', 'create', '-b', 'x', '--bee', 'broken')).toMatch(
			/^5 .*\n {2}--bee there is no bee "broken" \(Fix \.hive\/bees\/broken\.yaml:[23]: /,
		);
		await colony.ask(['task', 'create', '--trace', 't', '-b', 'x', '--bee', 'builder']);
		const broken = /^5 hive: The bee "broken" cannot be used: \.hive\/bees\/broken\.yaml:[23]: /;
		for (const command of [
			['bee', 'run', 'broken', '-b', 'x'],
			['bee', 'chat', 'broken'],
			['invite', 'record', '--trace', 't', '--bee', 'broken', '-b', 'x'],
		])
			expect(await refusal(colony, ...command)).toMatch(broken);
		await colony.write('.hive/colony.yaml', 'slug: scratch\ndefaults: {default_bee: broken}\n');
		expect(await refusal(colony, 'task', 'create', '-b', 'x')).toMatch(
			/^5 .*\n {2}--bee the default bee "broken" does not exist \(Fix \.hive\/bees\/broken\.yaml:[23]: /,
		);
		await colony.write('.hive/colony.yaml', 'slug: scratch\ndefaults:\n  energy_budget: many\n');
		expect(await refusal(colony, 'status')).toMatch(/^5 hive: .*\n {2}\.hive\/colony\.yaml:3 /);
	});

	it('exits with 3 for a missing subject, and with 4 for a state that forbids the action, which it names', async () => {
		const colony = await createColony({bees: {builder: {script: 'exit 3'}}});
		const nothing = ['--trace', 'nope'];
		const unknown = [
			['task', 'list', ...nothing],
			['task', 'retry', ...nothing, '--task', 'x'],
			['proposal', 'approve', ...nothing, '--task', 'x'],
			['energy', 'add', ...nothing, '--amount', '1'],
			['kill', ...nothing],
			['replay', 'nope'],
			['run', '--until-idle', ...nothing],
		];
		for (const text of await Promise.all(unknown.map(args => refusal(colony, ...args))))
			expect(text).toBe(
				'3 hive: There is no trace "nope" in this colony.\nList the traces with "hive status".\n',
			);
		expect(await refusal(colony, 'bee', 'run', 'bilder')).toMatch(/^3 hive: There is no bee "bilder"\./);
		expect(await refusal(colony, 'cue', 'run', 'nope', 'x')).toMatch(/^3 hive: There is no cue "nope"\./);

		const a = ['--trace', 't', '--task', 'a'];
		const b = ['--trace', 't', '--task', 'b'];
		await colony.ask(['task', 'create', ...a, '-b', 'A']);
		await colony.ask(['task', 'create', ...b, '-b', 'B', '--depends-on', 'a']);
		expect(await refusal(colony, 'task', 'show', '--trace', 't', '--task', 'c')).toMatch(
			/^3 hive: The trace t has no task "c"\./,
		);
		expect(await refusal(colony, 'task', 'start', ...b)).toMatch(
			/^4 hive: The task b waits for other tasks: a\.\n/,
		);
		expect(await refusal(colony, 'task', 'start', ...a)).toMatch(
			/^4 hive: The task a is ready; it has to be planned/,
		);
		expect(await refusal(colony, 'task', 'retry', ...a)).toMatch(
			/^4 hive: The task a is ready; it has to be failed, paused or running\b/,
		);
		expect(await refusal(colony, 'proposal', 'approve', ...a)).toMatch(/^4 hive: The task a is ready; /);
		expect(await refusal(colony, 'proposal', 'reject', ...a, '--feedback', 'x')).toMatch(
			/^4 hive: The task a is ready; /,
		);
		expect(await refusal(colony, 'proposal', 'diff', ...a)).toMatch(/^4 hive: The task a has no proposal\./);
		await colony.ask(['kill', '--trace', 't', '--reason', 'enough']);
		for (const args of [
			['task', 'create', '--trace', 't', '-b', 'C'],
			['task', 'retry', ...a],
			['bee', 'run', 'builder', '--trace', 't'],
		])
			expect(await refusal(colony, ...args)).toBe(
				'4 hive: The trace t is killed: enough\nStart a new trace.\n',
			);
	});

	it('reports every problem of a plan at once and publishes nothing of it', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'known', '-b', 'Known']);
		const before = await colony.replay('t');
		const tasks = [
			{taskId: 'a', title: 'A', dependsOn: ['b']},
			{taskId: 'b', title: 'B', dependsOn: ['a']},
			{taskId: 'c', title: 'C', dependsOn: ['nowhere', 'known']},
			{taskId: 'c', title: 'C again'},
			{taskId: 'd', title: 'D', bee: 'bilder'},
			{taskId: 'e', title: 'E', sector: 'moon'},
			{taskId: 'known', title: 'Another'},
		];
		const paths = [
			'payload.tasks.3.taskId',
			'payload.tasks.0.dependsOn',
			'payload.tasks.1.dependsOn',
			'payload.tasks.2.dependsOn.0',
			'payload.tasks.6.taskId',
			'payload.tasks.4.bee',
			'payload.tasks.5.sector',
		];
		const created = await colony.ask<{error: {details: {path: string; hint: string}[]}}>(
			['task', 'create', '--trace', 't', '--plan', '-'],
			{input: JSON.stringify({tasks}), exit: 5},
		);
		expect(created).toMatchObject({ok: false, error: {code: 'invalid_plan'}});
		expect(created.error.details.map(({path}) => path).sort()).toEqual(paths.toSorted());
		expect(created.error.details.every(({hint}) => hint !== '')).toBe(true);
		const emitted = await colony.ask<{details: {path: string}[]}>(['event', 'emit', '--stdin'], {
			input: JSON.stringify({traceId: 't', type: 'INSIGHT', payload: {kind: 'task.plan', tasks}}),
			exit: 5,
		});
		expect(emitted).toMatchObject({ok: false, error: 'schema_validation_failed'});
		expect(emitted.details.map(({path}) => path).sort()).toEqual(paths.toSorted());
		expect(await colony.replay('t')).toEqual(before);
	});

	it('reports problems with the shape of a plan together with problems of its ids', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', 't', '--task', 'known', '-b', 'Known']);
		const before = await colony.replay('t');
		const tasks = [
			{taskId: 'a', title: 'A', dependsOn: ['nowhere'], review: 'maybe'},
			{taskId: 'a', title: 7},
			{taskId: 'known', title: 'Another', sector: 3},
			{taskId: 'c', title: 'C', bee: 'bilder', depends_on: ['a']},
		];
		const paths = [
			'payload.tasks.0.dependsOn.0',
			'payload.tasks.0.review',
			'payload.tasks.1.taskId',
			'payload.tasks.1.title',
			'payload.tasks.2.sector',
			'payload.tasks.2.taskId',
			'payload.tasks.3.bee',
			'payload.tasks.3.depends_on',
		];
		const created = await colony.ask<{error: {details: {path: string}[]}}>(
			['task', 'create', '--trace', 't', '--plan', '-'],
			{input: JSON.stringify({tasks}), exit: 5},
		);
		expect(created.error.details.map(({path}) => path).sort()).toEqual(paths);
		const input = JSON.stringify({traceId: 't', type: 'INSIGHT', payload: {kind: 'task.plan', tasks}});
		for (const command of ['emit', 'validate']) {
			const {details} = await colony.ask<{details: {path: string}[]}>(['event', command, '--stdin'], {
				input,
				exit: 5,
			});
			expect(details.map(({path}) => path).sort()).toEqual(paths);
		}
		expect(await colony.replay('t')).toEqual(before);
	});

	it('never accepts an id that leaves its folder', async () => {
		const colony = await createColony();
		const commands = (id: string) => [
			['task', 'create', `--trace=${id}`, '-b', 'x'],
			['task', 'create', `--task=${id}`, '-b', 'x'],
			['task', 'create', `--bee=${id}`, '-b', 'x'],
			['task', 'create', `--sector=${id}`, '-b', 'x'],
			['task', 'create', `--depends-on=${id}`, '-b', 'x'],
			['bee', 'run', 'builder', `--trace=${id}`],
		];
		const invalid = [...commands('../x'), ...commands('a/b').slice(0, 2), ...commands('-rf').slice(0, 2)];
		for (const text of await Promise.all(invalid.map(args => refusal(colony, ...args))))
			expect(text).toMatch(/^5 hive: /);
		const unknown = [
			['replay', '../x'],
			['kill', '--trace', '../x'],
			['bee', 'run', 'a/b'],
		];
		for (const text of await Promise.all(unknown.map(args => refusal(colony, ...args))))
			expect(text).toMatch(/^3 hive: There is no /);
		for (const field of ['traceId', 'agentId']) {
			const event = {traceId: 't', type: 'SIGNAL', payload: {kind: 'x'}, [field]: '../x'};
			expect(
				await colony.ask(['event', 'emit', '--stdin'], {input: JSON.stringify(event), exit: 5}),
			).toMatchObject({ok: false, details: [{path: field}]});
		}
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
		expect(await colony.exists('.hive/runs')).toBe(false);
	});
});

describe('hive event emit', () => {
	it('refuses an invalid event in one line of JSON, with exit code 5', async () => {
		const colony = await createColony();
		const emit = async (input: string, command = 'emit') => {
			const {stdout, stderr, exitCode} = await colony.hive(['event', command, '--stdin'], {input});
			expect({stderr, lines: linesOf(stdout).length}).toEqual({stderr: '', lines: 1});
			return {exitCode, ...JSON.parse(stdout)};
		};
		const event = (payload: object, type = 'INSIGHT') => JSON.stringify({traceId: 't', type, payload});
		for (const answer of await Promise.all(['', 'nope', '[]', '{} {}'].map(input => emit(input))))
			expect(answer).toMatchObject({exitCode: 5, ok: false, error: 'invalid_json'});
		expect(await emit('{"type":"NOISE"}')).toMatchObject({
			exitCode: 5,
			ok: false,
			error: 'schema_validation_failed',
			details: [
				{path: 'traceId', message: 'required'},
				{path: 'type', message: 'must be one of SIGNAL, INSIGHT, MUTATION, VERIFICATION'},
				{path: 'payload'},
			],
		});
		expect(await emit(event({kind: 'trace.title', title: ' '}, 'SIGNAL'))).toMatchObject({
			details: [
				{path: 'type', hint: 'Use "type": "INSIGHT".'},
				{path: 'payload.title', message: 'required'},
			],
		});
		const large = event({kind: 'run.summary', summary: 'x'.repeat(300 * 1024)});
		for (const command of ['emit', 'validate'])
			expect(await emit(large, command)).toMatchObject({exitCode: 5, ok: false, error: 'event_too_large'});
		expect((await colony.hive(['replay', 't'])).exitCode).toBe(3);
		expect(await emit(event({kind: 'colony.own', any: {thing: 1}}, 'SIGNAL'))).toEqual({
			exitCode: 0,
			ok: true,
			traceId: 't',
			type: 'SIGNAL',
			kind: 'colony.own',
			id: expect.stringMatching(/^[0-9a-f]{28}$/),
			sequence: 1,
			eventLogPath: '',
			warnings: [],
		});
	});
});
