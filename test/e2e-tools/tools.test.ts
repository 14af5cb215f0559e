import {once} from 'node:events';
import {readdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builder, createColony, type Json} from '../helpers/colony-on-disk.ts';
import {hashFiles} from '../helpers/repository.ts';
import {startHive} from '../helpers/run-hive.ts';

const loud = {
	...builder,
	script: `printf 'plain\\n\\033[2Jcleared %s\\n' "$LOUD_TOKEN"; echo trouble >&2; ${builder.script}`,
};

/** A colony whose builder has completed one task of a trace. */
const worked = async () => {
	const colony = await createColony({bees: {builder: loud}});
	const {traceId} = await colony.ask<{traceId: string}>([
		'task',
		'create',
		'--task',
		'a',
		'--body',
		'Do it.',
	]);
	await colony.hive(['run', '--until-idle'], {env: {LOUD_TOKEN: 'sesame-open-1'}});
	const status = await colony.ask<{traces: {runs: {agentId: string}[]}[]}>(['status']);
	const agentId = status.traces[0]?.runs[0]?.agentId ?? '';
	return {...colony, traceId, agentId};
};

describe('hive doctor', () => {
	it('finds nothing in a new colony, and changes nothing in the repository or in the home', async () => {
		const {hive, root, home, replay, traceId} = await worked();
		// The file layout of SQLite may vary, so only the log content is compared.
		const everything = async () => [
			await hashFiles(root),
			Object.entries(await hashFiles(home)).filter(([path]) => !path.includes('events.sqlite')),
			await replay(traceId),
		];
		const before = await everything();
		const {exitCode, stdout} = await hive(['doctor']);
		expect({exitCode, stdout}).toEqual({
			exitCode: 0,
			stdout: expect.stringMatching(/\d+ checks: (nothing to fix|\d+ advisor(y|ies))\.\n$/),
		});
		expect(await everything()).toEqual(before);
	});

	it('creates no log in a colony that has none yet', async () => {
		const {hive, home} = await createColony();
		await hive(['doctor']);
		expect(await readdir(join(home, '.config/hive/scratch'))).toEqual([
			'config.yaml',
			'git-accepted.json',
			'place',
		]);
	});

	it('exits with 5 and names the file, the line and the fix of an error, in 80 columns', async () => {
		const {hive, write} = await createColony();
		await write('.hive/bees/wrong.yaml', 'adapter: gamma\n');
		const {exitCode, stdout} = await hive(['doctor']);
		expect(exitCode).toBe(5);
		expect(stdout).toMatch(
			/^error {5}\.hive\/bees\/wrong\.yaml:1: expected one of acp, alpha, beta, claude,\s+codex,/,
		);
		expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
		const answer = await hive(['doctor', '--json']);
		expect(answer.exitCode).toBe(5);
		expect(JSON.parse(answer.stdout)).toMatchObject({
			v: 1,
			ok: false,
			findings: [{rule: 'files-read', level: 'error', path: '.hive/bees/wrong.yaml:1'}, {}],
		});
	});

	it('reports another hive command that comes first on PATH', async () => {
		const {hive, home} = await createColony();
		await writeFile(join(home, 'hive'), '#!/bin/sh\nexec java -jar warehouse.jar\n', {mode: 0o755});
		const {stdout} = await hive(['doctor', '--json'], {env: {PATH: `${home}:${process.env.PATH}`}});
		expect(JSON.parse(stdout).findings).toContainEqual(
			expect.objectContaining({rule: 'own-hive', path: join(home, 'hive')}),
		);
	});
});

describe('the output of a run in hive logs', () => {
	it('is printed without control sequences and known secrets', async () => {
		const {hive, agentId} = await worked();
		const env = {LOUD_TOKEN: 'sesame-open-1'};
		expect((await hive(['logs', agentId], {env})).stdout).toBe('plain\ncleared [redacted]\nBuilt a\n');
		expect((await hive(['logs', agentId, '--stderr'], {env})).stdout).toBe('trouble\n');
		const {stdout} = await hive(['logs', agentId, '--json'], {env});
		expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual({
			v: 1,
			agentId,
			stream: 'stdout',
			line: '\u001b[2Jcleared [redacted]',
			at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		});
	});

	it('is printed unchanged with --raw, but not with --json', async () => {
		const {hive, agentId} = await worked();
		expect((await hive(['logs', agentId, '--raw'])).stdout).toContain('\u001b[2Jcleared sesame-open-1');
		expect((await hive(['logs', agentId, '--raw', '--json'])).exitCode).toBe(2);
	});

	it('is refused for an unknown run', async () => {
		const {hive} = await createColony();
		const {exitCode, stderr} = await hive(['logs', 'ffff']);
		expect(exitCode).toBe(3);
		expect(stderr).toContain('There is no run "ffff"');
	});

	it('is followed until the run ends', async () => {
		const waiting = {...builder, script: 'echo begun; wait_for go; echo over'};
		const colony = await createColony({bees: {builder: waiting}});
		await colony.ask(['task', 'create', '--task', 'a', '--body', 'Do it.']);
		const reactor = colony.follow();
		await colony.notes(1);
		const {traces} = await colony.ask<{traces: {runs: {agentId: string}[]}[]}>(['status']);
		const agentId = traces[0]?.runs[0]?.agentId ?? '';
		const follower = startHive(['logs', agentId, '--follow', '--times'], {cwd: colony.root, env: colony.env});
		let said = '';
		follower.stdout.on('data', chunk => {
			said += chunk;
		});
		await once(follower.stdout, 'data');
		expect(said).toMatch(/^[\d :-]{8,} begun\n$/);
		const closed = once(follower, 'close');
		await colony.open('go');
		expect(await closed).toEqual([0, null]);
		expect(said).toMatch(/^[\d :-]{8,} begun\n[\d :-]{8,} over\n$/);
		await reactor.kill('SIGTERM');
	});
});

describe('the history of a trace', () => {
	it('is explained: the events that brought a task to its state, and what it waits for', async () => {
		const {ask, hive, traceId, agentId} = await worked();
		const gate = await ask<Json>(['why', '_review', '--trace', traceId]);
		expect(gate).toMatchObject({
			status: 'waiting_review',
			causes: [
				{by: 'hive', kind: 'task.plan'},
				{by: 'hive', kind: 'task.status'},
			],
			waits: [{for: 'person', next: `hive proposal diff --trace ${traceId}`}],
		});
		const {stdout} = await hive(['why', 'a', '--trace', traceId]);
		expect(stdout).toContain(`ready -> running, held by builder (${agentId})`);
		expect(stdout).toContain('Nothing: it is over.');
		expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
	});

	it('shows that a ready task waits for a reactor when none is alive', async () => {
		const {ask} = await createColony();
		const {traceId} = await ask<{traceId: string}>(['task', 'create', '--task', 'a', '--body', 'Do it.']);
		expect(await ask(['why', 'a', '--trace', traceId])).toMatchObject({
			status: 'ready',
			waits: [{for: 'reactor', next: 'hive run'}],
		});
	});

	it('is refused for an unknown trace or task', async () => {
		const {hive, ask, traceId} = await worked();
		expect(await ask(['why', 'a'])).toMatchObject({traceId, taskId: 'a'});
		expect((await hive(['why', 'nope'])).stderr).toContain('No trace has a task "nope".');
		await ask(['task', 'create', '--trace', 'other', '--task', 'a', '--title', 'x']);
		const {exitCode, stderr} = await hive(['why', 'a']);
		expect(exitCode).toBe(3);
		expect(stderr).toContain('Name the trace with --trace <id>.');
		expect(stderr).toContain(traceId);
		expect((await hive(['why', 'a', '--trace', 'nope'])).exitCode).toBe(3);
		expect((await hive(['why', 'nope', '--trace', traceId])).exitCode).toBe(3);
		expect((await hive(['inspect', 'usage', '--trace', traceId, '--agent', 'nope'])).exitCode).toBe(3);
		expect((await hive(['export', '--trace', 'nope'])).exitCode).toBe(3);
	});

	it('is exported to one page, with the same bytes each time', async () => {
		const {hive, root, traceId, agentId} = await worked();
		expect((await hive(['export', '--trace', traceId, '-o', 'one.html'])).exitCode).toBe(0);
		const {stdout} = await hive(['export', '--trace', traceId, '--json']);
		const {file} = JSON.parse(stdout);
		expect(file).toBe(join(root, `hive-export-scratch-${traceId}.html`));
		const [one, other] = await Promise.all([
			readFile(join(root, 'one.html'), 'utf8'),
			readFile(file, 'utf8'),
		]);
		expect(one).toBe(other);
		expect(one).toContain(`id="run-${agentId}"`);
		expect(one).toContain('+made by a');
	});

	it('has the token sum of the runs that report usage', async () => {
		const {hive, ask, root, traceId, agentId} = await worked();
		const path = join(root, '.hive/runs', traceId, agentId, 'result.json');
		expect((await hive(['inspect', 'usage', '--trace', traceId])).stdout).toBe(
			'0 of 1 run reported usage.\n',
		);
		const result = JSON.parse(await readFile(path, 'utf8'));
		await writeFile(
			path,
			JSON.stringify({...result, usage: {inputTokens: 1200, outputTokens: 34, source: 's'}}),
		);
		expect(await ask(['inspect', 'usage', '--trace', traceId])).toMatchObject({
			runs: 1,
			reported: 1,
			usage: {inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, cacheWriteTokens: 0},
		});
		const {stdout} = await hive(['inspect', 'usage', '--trace', traceId, '--agent', agentId]);
		expect(stdout).toMatch(/1,200 +34 +- +- +-\n\n1 of 1 run reported usage\.\n$/);
	});
});

describe('an exported colony', () => {
	it('is drawn in the requested format, into a file if one is named', async () => {
		const {hive, read, home} = await createColony();
		const {stdout} = await hive(['colony', 'topology', '--format', 'mermaid']);
		expect(stdout).toContain('flowchart LR');
		await hive(['colony', 'topology', '--format', 'mermaid', '--out', 'topology.mmd']);
		expect(await read('topology.mmd')).toBe(stdout);
		expect(JSON.parse((await hive(['colony', 'topology', '--json'])).stdout)).toMatchObject({
			v: 1,
			bees: [{role: 'builder'}],
			mermaid: stdout.trimEnd(),
		});
		expect(await readdir(join(home, '.config/hive/scratch'))).toEqual([
			'config.yaml',
			'git-accepted.json',
			'place',
		]);
	});

	it('can be imported by another colony, from a file or standard input', async () => {
		const from = await createColony({
			bees: {builder, scout: {...builder, subscribes: [{type: 'SIGNAL', kind: 'look'}]}},
		});
		const to = await createColony();
		const {stdout: nuc} = await from.hive(['nuc', 'export', '--bees', 'scout']);
		const dry = await to.ask(['nuc', 'import', '-', '--dry-run'], {input: nuc});
		expect(dry).toMatchObject({files: [{path: '.hive/bees/scout.yaml', does: 'create'}]});
		expect(await to.exists('.hive/bees/scout.yaml')).toBe(false);
		await to.write('scout.nuc.yaml', nuc);
		expect((await to.hive(['nuc', 'import', 'scout.nuc.yaml'])).exitCode).toBe(0);
		expect(await to.read('.hive/bees/scout.yaml')).toBe(await from.read('.hive/bees/scout.yaml'));
	});

	it('is refused if it would leave its folder, and nothing is downloaded or written', async () => {
		const {hive, root, write} = await createColony();
		const evil =
			'apiVersion: hive/v1\nkind: Nuc\nmetadata: {name: n}\nspec: {prompts: {"../../x.md": boo}}\n';
		await write('evil.yaml', evil);
		const before = await hashFiles(root);
		const refused = await hive(['nuc', 'import', 'evil.yaml']);
		expect(refused.exitCode).toBe(5);
		expect(refused.stderr).toContain('evil.yaml:4 "../../x.md" is not a path');
		expect((await hive(['nuc', 'import', 'https://example.org/n.yaml'])).exitCode).toBe(2);
		expect((await hive(['nuc', 'import', 'nowhere.yaml'])).exitCode).toBe(3);
		expect(await hashFiles(root)).toEqual(before);
		await symlink('/dev/zero', join(root, 'zero.yaml'));
		expect((await hive(['nuc', 'import', 'zero.yaml'])).exitCode).toBe(5);
	});
});

describe('hive completion --list', () => {
	it('prints ids with their meaning, and nothing outside a colony', async () => {
		const {hive, traceId, agentId} = await worked();
		expect((await hive(['completion', '--list', 'traces'])).stdout).toBe(`${traceId} Do it.\n`);
		expect((await hive(['completion', '--list', 'runs'])).stdout).toBe(`${agentId} builder completed\n`);
		expect(await hive(['completion', '--list', 'traces'], {cwd: '/'})).toEqual({
			exitCode: 0,
			stdout: '',
			stderr: '',
		});
	});
});
