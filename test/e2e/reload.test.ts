import {mkdir, rename, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, readJson} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

const create = (taskId: string, bee: string) =>
	['task', 'create', '--trace', 't', '--task', taskId, '-b', 'x', '--bee', bee, '--autorun'] as const;

/** Returns the task summary, which a bee that prints its prompt has set. */
const summaryOf = async (colony: ColonyOnDisk, taskId: string): Promise<unknown> => {
	const {task} = await colony.ask<{task: {summary: string}}>([
		'task',
		'show',
		'--trace',
		't',
		'--task',
		taskId,
	]);
	return task.summary;
};

const reader = {prompt_template: 'reader.md', script: 'cat "$HIVE_PROMPT_FILE"'};
const prompt = '.hive/prompts/reader.md';

type Problem = {readonly path: string; readonly message: string};

const problemsSaid = async (colony: ColonyOnDisk): Promise<readonly Problem[]> => {
	const status = await colony.ask<{colony: {problems: Problem[]}}>(['status']);
	return status.colony.problems;
};

const inForce = async (colony: ColonyOnDisk, exit: number): Promise<readonly Problem[]> => {
	const {findings} = await colony.ask<{findings: (Problem & {rule: string})[]}>(['doctor'], {exit});
	return findings.filter(({rule}) => rule === 'in-force');
};

describe('a reactor whose configuration changes', () => {
	it('uses new files at once, and keeps the last good version of a broken file', async () => {
		const colony = await createColony({
			bees: {builder: reader},
			files: {[prompt]: 'first', '.hive/colony.yaml': 'slug: scratch\n'},
		});
		const reactor = colony.follow();
		await reactor.says('runs here');
		await colony.write(prompt, 'second');
		await reactor.says(`${prompt} is read again.`);
		await colony.ask(create('a', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		expect(await summaryOf(colony, 'a')).toBe('second');

		await colony.write(prompt, '{{if .Task}}third');
		await colony.write('.hive/bees/builder.yaml', 'adapter: [');
		await reactor.says('.hive/bees/builder.yaml:1: its last good version stays in force: ');
		await reactor.says(`${prompt}:1: its last good version stays in force: `);
		await colony.ask(create('b', 'builder'), {exit: 5});
		const event = {
			traceId: 't',
			type: 'INSIGHT',
			payload: {kind: 'task.plan', tasks: [{taskId: 'b', title: 'B', bee: 'builder'}]},
		};
		expect((await colony.hive(['event', 'emit', '--stdin'], {input: JSON.stringify(event)})).exitCode).toBe(
			0,
		);
		await reactor.event({kind: 'task.completed', taskId: 'b'});
		expect(await summaryOf(colony, 'b')).toBe('second');
		expect(await problemsSaid(colony)).toMatchObject([
			{
				path: '.hive/bees/builder.yaml:1',
				message: expect.stringMatching(/^its last good version stays in force: /),
			},
			{path: `${prompt}:1`, message: expect.stringMatching(/^its last good version stays in force: /)},
		]);
		expect(await inForce(colony, 5)).toHaveLength(2);

		await colony.git(['checkout', '--', '.hive/bees/builder.yaml']);
		await colony.write(prompt, 'fourth');
		await colony.write('.hive/bees/scout.yaml', 'adapter: script\ncommand: "true"\n');
		await reactor.says('.hive/bees/scout.yaml is read again.');
		expect(await problemsSaid(colony)).toEqual([]);
		await colony.ask(create('c', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'c'});
		expect(await summaryOf(colony, 'c')).toBe('fourth');
	});

	it('gives a task to a bee that was created a moment earlier', async () => {
		const colony = await createColony();
		const reactor = colony.follow();
		await reactor.says('runs here');
		await colony.write('.hive/bees/late.yaml', 'adapter: script\ncommand: [echo, in time]\n');
		expect((await colony.hive(create('a', 'late'))).exitCode).toBe(0);
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		expect(await summaryOf(colony, 'a')).toBe('in time');
	});

	it('starts a bee for an event although the bee was created a moment earlier', async () => {
		const colony = await createColony();
		const reactor = colony.follow();
		await reactor.says('runs here');
		const late = {
			...{adapter: 'script', command: ['echo', 'in time']},
			subscribes: [{type: 'SIGNAL', kind: 'late.notice', dispatch: 'direct'}],
		};
		await colony.write('.hive/bees/late.yaml', JSON.stringify(late));
		const event = {traceId: 't', type: 'SIGNAL', payload: {kind: 'late.notice'}};
		await colony.ask(['event', 'emit', '--stdin'], {input: JSON.stringify(event)});
		expect((await reactor.event({kind: 'run.finished'})).payload).toMatchObject({
			...{bee: 'late', status: 'completed', summary: 'in time'},
		});
	});

	it('keeps working when colony.yaml is broken or gone', async () => {
		const colony = await createColony({bees: {builder: reader}, files: {[prompt]: 'first'}});
		const {id} = await readJson(join(colony.root, '.hive/colony.yaml'));
		const reactor = colony.follow();
		await reactor.says('runs here');
		await colony.remove('.hive/colony.yaml');
		await reactor.says('.hive/colony.yaml: its last good version stays in force: the file is gone.');
		await colony.write('.hive/colony.yaml', 'slug: scratch\nunknown: 1\n');
		await reactor.says('its last good version stays in force: unknown key "unknown".');
		const mended = {slug: 'scratch', id, defaults: {energy_budget: 3}};
		await colony.write('.hive/colony.yaml', JSON.stringify(mended));
		await reactor.says('.hive/colony.yaml is read again.');
		await colony.ask(create('a', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		expect(await colony.ask(['energy', 'show', '--trace', 't'])).toMatchObject({energyBudget: 3});
	});

	it('uses the new home file of an adapter at once, and the last good version of a broken one', async () => {
		const colony = await createColony({
			bees: {},
			files: {[prompt]: 'Go.', '.hive/bees/builder.yaml': 'adapter: alpha\nprompt_template: reader.md\n'},
		});
		const file = join(colony.home, '.config/hive/scratch/adapters/alpha.yaml');
		const replace = async (text: string): Promise<void> => {
			await writeFile(join(colony.home, 'alpha.yaml'), text);
			await rename(join(colony.home, 'alpha.yaml'), file);
		};
		for (const name of ['first', 'second'])
			await writeFile(join(colony.home, name), `#!/bin/sh\necho ${name}\n`, {mode: 0o755});
		const reactor = colony.follow();
		await reactor.says('runs here');
		await mkdir(dirname(file));
		await replace(`binary: ${colony.home}/first\n`);
		await reactor.says(`${file} is read again.`);
		await colony.ask(create('a', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		expect(await summaryOf(colony, 'a')).toBe('first');

		await replace(`binary: ${colony.home}/second\n`);
		await reactor.says(`${file} is read again.`, 2);
		await replace('binray: x\n');
		const kept = 'its last good version stays in force: unknown key "binray"';
		await reactor.says(`${file}:1: ${kept}.`);
		await colony.ask(create('b', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'b'});
		expect(await summaryOf(colony, 'b')).toBe('second');
		expect(await problemsSaid(colony)).toMatchObject([{path: `${file}:1`, message: kept}]);
		expect((await colony.hive(['status'])).stdout).toContain(`${file}:1: ${kept}\n`);
		expect(await inForce(colony, 5)).toMatchObject([{path: `${file}:1`, message: kept}]);

		await reactor.kill('SIGTERM');
		expect(await problemsSaid(colony)).toMatchObject([{message: 'unknown key "binray"'}]);
		for (const command of [['run'], ['bee', 'run', 'builder', '-b', 'x']]) {
			const refused = await colony.hive(command);
			expect(refused.exitCode).toBe(5);
			expect(refused.stderr).toContain(`${file}:1: unknown key "binray".`);
		}
		const {traces} = await colony.ask<{traces: object[]}>(['status']);
		expect(traces, 'traces after the refusal').toHaveLength(1);
	});

	it('does not use a change by a run in the root before a person accepts it', async () => {
		const writer = {script: `echo mine >"$HIVE_COLONY_ROOT/${prompt}"; wait_for go; echo done`};
		const colony = await createColony({bees: {builder: reader, writer}, files: {[prompt]: 'first'}});
		const reactor = colony.follow();
		await colony.ask(create('a', 'writer'));
		const agentId = (await colony.notes(1))[0]?.split(' ').at(-1);
		const held = 'changed while "x" was running: not yet in force';
		await reactor.says(`${prompt}: ${held}.`);
		expect(await problemsSaid(colony)).toMatchObject([{path: prompt, message: held}]);
		expect(await inForce(colony, 0)).toMatchObject([
			{
				path: prompt,
				message: held,
				fix: '"hive doctor --accept" shows it, and puts it in force once you agree.',
			},
		]);
		expect((await colony.hive(['status'])).stdout).toContain(`${prompt}: ${held}\n`);
		await colony.open('go');
		await reactor.event({kind: 'task.completed', taskId: 'a'});
		await colony.ask(create('b', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'b'});
		expect(await summaryOf(colony, 'b')).toBe('first');

		const inRun = {HIVE_TRACE_ID: 't', HIVE_AGENT_ID: agentId ?? ''};
		expect(await colony.ask(['doctor', '--accept'], {env: inRun, exit: 4})).toMatchObject({
			error: {code: 'not_for_agents'},
		});
		expect(await inForce(colony, 0)).toHaveLength(1);
		expect(await colony.ask(['doctor', '--accept'])).toMatchObject({ok: true});
		expect(await problemsSaid(colony)).toEqual([]);
		await colony.ask(create('c', 'builder'));
		await reactor.event({kind: 'task.completed', taskId: 'c'});
		expect(await summaryOf(colony, 'c')).toBe('mine');
	});

	it('does not use a change by a merge before a person accepts it, even after a restart', async () => {
		const writer = {
			worktree: true,
			publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
			script: `echo merged >${prompt}`,
		};
		const colony = await createColony({bees: {builder: reader, writer}, files: {[prompt]: 'first'}});
		const first = colony.follow();
		await colony.ask(create('a', 'writer'));
		await first.event({kind: 'task.status', taskId: '_review', status: 'waiting_review'});
		await colony.ask(['proposal', 'approve', '--trace', 't', '--task', '_review']);
		await first.says(`${prompt}: changed while "x" was merged: not yet in force.`);
		await first.kill('SIGTERM');
		const held = `${prompt}: changed while "x" was merged: not yet in force`;
		expect((await colony.hive(['status'])).stdout).toContain(`${held}\n`);
		expect(await inForce(colony, 0)).toHaveLength(1);
		const second = colony.follow();
		await second.says(`${held}.`);
		await colony.ask(create('b', 'builder'));
		await second.event({kind: 'task.completed', taskId: 'b'});
		expect(await summaryOf(colony, 'b')).toBe('first');
		expect(await colony.ask(['doctor', '--accept'])).toMatchObject({ok: true});
		await colony.ask(create('c', 'builder'));
		await second.event({kind: 'task.completed', taskId: 'c'});
		expect(await summaryOf(colony, 'c')).toBe('merged');
	});

	it('does not use a change that a run in the root made while no reactor was alive', async () => {
		const writer = {
			script: `wait_for go; echo mine >"$HIVE_COLONY_ROOT/${prompt}"; note written; wait_for end`,
		};
		const colony = await createColony({bees: {builder: reader, writer}, files: {[prompt]: 'first'}});
		const first = colony.follow();
		await colony.ask(create('a', 'writer'));
		await colony.notes(1);
		await first.kill('SIGTERM');
		await colony.open('go');
		await colony.notes(2);
		await colony.open('end');
		const held = `${prompt}: changed while "x" was running: not yet in force`;
		expect((await colony.hive(['status'])).stdout).toContain(`${held}\n`);
		const second = colony.follow();
		await second.says(`${held}.`);
		await second.event({kind: 'task.completed', taskId: 'a'});
		await colony.ask(create('b', 'builder'));
		await second.event({kind: 'task.completed', taskId: 'b'});
		expect(await summaryOf(colony, 'b')).toBe('first');
		await second.kill('SIGTERM');

		await colony.write(prompt, 'a person has changed it again');
		expect(await problemsSaid(colony)).toHaveLength(1);
		expect(await colony.ask(['doctor', '--accept'])).toMatchObject({ok: true, accepted: [prompt]});
		expect(await problemsSaid(colony)).toEqual([]);
		await colony.ask(create('c', 'builder'));
		await colony.hive(['run', '--until-idle']);
		expect(await summaryOf(colony, 'c')).toBe('a person has changed it again');
	});

	it('does not use any change during an open worktree run before a person accepts the shown version', async () => {
		const colony = await createColony({
			bees: {builder: {...reader, worktree: true, script: 'note begun; wait_for go'}},
			files: {[prompt]: 'first\n'},
		});
		const reactor = colony.follow();
		await colony.ask(create('a', 'builder'));
		await colony.notes(1);
		await colony.write(prompt, 'second\n');
		await reactor.says(`${prompt}: changed while "x" was running: not yet in force.`);
		const text = (await colony.hive(['status'])).stdout;
		expect(text).toContain('"hive doctor --accept" shows it, and puts it in force once you agree.');
		const {inbox} = await colony.ask<{inbox: object[]}>(['status']);
		expect(inbox).toMatchObject([{kind: 'configuration', title: prompt, actions: ['configuration.accept']}]);

		type Awaiting = {readonly awaiting: {readonly seen: string; readonly patch: string}};
		const {awaiting} = await colony.ask<Awaiting>(['doctor']);
		expect(awaiting.patch).toContain('-first\n+second\n');
		await colony.write(prompt, 'third\n');
		const stale = ['doctor', '--accept', '--seen', awaiting.seen];
		expect(await colony.ask(stale, {exit: 4})).toMatchObject({error: {code: 'stale_view'}});
		const accepted = await colony.hive(['doctor', '--accept']);
		expect(accepted.stdout).toContain('-first\n+third\n');
		expect(accepted.stdout).toContain('1 file below .hive/ is in force as you saw it.');
		expect(await problemsSaid(colony)).toEqual([]);

		// Changes by hive's own commands are accepted immediately.
		const bees = {other: 'command: [sh, -c, "true"]\nadapter: script\n'};
		const head = {apiVersion: 'hive/v1', kind: 'Nuc', metadata: {name: 'more', description: ''}};
		await colony.write('more.yaml', JSON.stringify({...head, spec: {bees, prompts: {}, cues: {}}}));
		await colony.ask(['nuc', 'import', 'more.yaml']);
		expect(await problemsSaid(colony)).toEqual([]);
		await colony.open('go');
		await reactor.event({kind: 'run.finished'});
	});

	it('publishes the accepted version of a cue while a changed version waits', async () => {
		const cue = '.hive/cues/ask.yaml';
		const text = 'emit: signal\ntype: SIGNAL\nkind: shown.kind\n';
		const writer = {script: `sed -i s/shown.kind/other.kind/ "$HIVE_COLONY_ROOT/${cue}"`};
		const colony = await createColony({
			bees: {builder: reader, writer},
			files: {[prompt]: 'Go.', [cue]: text},
		});
		const kindOf = async (): Promise<unknown> => {
			const {traceId} = await colony.ask<{traceId: string}>(['cue', 'run', 'ask']);
			return (await colony.replay(traceId))[0]?.payload.kind;
		};
		await colony.ask(create('a', 'writer'));
		await colony.hive(['run', '--until-idle']);
		expect(await problemsSaid(colony)).toMatchObject([{path: cue}]);
		expect(await kindOf()).toBe('shown.kind');
		expect(await colony.ask(['doctor', '--accept'])).toMatchObject({ok: true});
		expect(await kindOf()).toBe('other.kind');
	});
});

describe('a dashboard whose configuration changes', () => {
	it('shows an added bee while open, and reports broken files', async () => {
		const colony = await createColony({bees: {builder: reader}, files: {[prompt]: 'first'}});
		const terminal = openTerminal([process.execPath, builtCommand()], {
			...{columns: 120, rows: 36, cwd: colony.root},
			env: {...colony.env, XDG_CONFIG_HOME: ''},
		});
		try {
			await terminal.until(screen => screen.includes('reactor ● this process'));
			await terminal.press('6', screen => screen.includes('1 bee'));
			await colony.write('.hive/bees/second.yaml', 'adapter: script\ncommand: "true"\n');
			await terminal.until(screen => screen.includes('2 bees'));
			await colony.write('.hive/bees/second.yaml', 'adapter: script\ncommand: [\n');
			const banner = /^ ✗ \.hive\/bees\/second\.yaml:\d: its last good version stays in force: /m;
			expect(await terminal.until(screen => banner.test(screen))).toContain('2 bees');
		} finally {
			terminal.close();
		}
	});
});
