import {spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {existsSync, writeFileSync} from 'node:fs';
import {mkdir, readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {type ColonyOnDisk, createColony, linesOf} from '../helpers/colony-on-disk.ts';

const create = ['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x', '--bee', 'confined'];

const note = (summary: string) => JSON.stringify({type: 'INSIGHT', payload: {kind: 'context.note', summary}});

/** A bee whose commands find no machine folder, as in a sandbox. */
const hidden = (...lines: string[]) => ({
	script: [`export XDG_CONFIG_HOME=/nowhere`, ...lines].join('\n'),
	publishes: [{type: 'INSIGHT', kind: 'context.note'}],
});

const notesIn = async (colony: ColonyOnDisk) =>
	(await colony.replay('t')).filter(({payload}) => payload.kind === 'context.note');

const agentIn = async (colony: ColonyOnDisk): Promise<string> => {
	const claim = (await colony.replay('t')).find(({payload}) => payload.kind === 'energy.consume');
	return String(claim?.payload.agentId);
};

const directoryIn = async (colony: ColonyOnDisk): Promise<string> =>
	join(colony.root, '.hive/runs/t', await agentIn(colony));

const answersIn = async (colony: ColonyOnDisk) =>
	linesOf(await readFile(join(await directoryIn(colony), 'stdout.log'), 'utf8'))
		.filter(line => line.startsWith('{'))
		.map(line => JSON.parse(line));

describe('a run whose sandbox hides the log', () => {
	it('queues its events, which the reactor publishes in order while the run works', async () => {
		const emitted = [1, 2, 3].map(n => `emit '${note(`note ${n}`)}'`);
		const colony = await createColony({bees: {confined: hidden(...emitted, 'wait_for end; echo done')}});
		await colony.ask(create);
		const reactor = colony.follow(['run', '--until-idle']);
		await reactor.event({kind: 'context.note', summary: 'note 3'});
		expect((await notesIn(colony)).map(({payload}) => payload.summary)).toEqual([
			'note 1',
			'note 2',
			'note 3',
		]);
		await colony.open('end');
		expect((await reactor.ended).exitCode).toBe(0);

		const directory = await directoryIn(colony);
		expect(await answersIn(colony)).toEqual(
			(await notesIn(colony)).map(({id}) => ({
				...{ok: true, queued: true, traceId: 't', type: 'INSIGHT', kind: 'context.note', id},
				spoolPath: join(directory, 'sandbox/spool'),
				warnings: [expect.stringContaining('queued')],
			})),
		);
		expect(existsSync(join(directory, 'sandbox'))).toBe(false);
		expect(await colony.ask(['task', 'show', '--trace', 't', '--task', 'a'])).toMatchObject({
			task: {summary: 'done'},
		});
	});

	it('has its queued events published once, by a reactor that starts later or after a killed one', async () => {
		const colony = await createColony({
			bees: {
				confined: hidden(
					'wait_for begin',
					`emit '${note('first')}'`,
					`emit '{"type":"SIGNAL","payload":{"kind":"human.question","text":"Which?"}}'`,
					`printf '%s' '${note('deferred')}' | hive event emit --stdin --defer`,
				),
			},
		});
		await colony.ask(create);
		const reactor = colony.follow();
		await colony.notes(1);
		await reactor.kill('SIGKILL');
		await colony.open('begin');
		await colony.exitOf('t', await agentIn(colony));
		expect(await notesIn(colony)).toEqual([]);
		for (const point of ['emit.appended', 'emit.appended:2'])
			expect((await colony.hive(['run', '--until-idle'], {env: {HIVE_CRASH_AT: point}})).exitCode).toBe(null);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(8);
		const events = await colony.replay('t');
		expect((await notesIn(colony)).map(({payload}) => payload.summary)).toEqual(['first', 'deferred']);
		expect(events.filter(({payload}) => payload.kind === 'human.question')).toHaveLength(1);
		expect(events.filter(({payload}) => payload.kind === 'action.refused')).toEqual([]);
	});
});

it('is refused invalid, too large and excess events at once, and events that cannot be queued', async () => {
	const colony = await createColony();
	const spool = join(colony.root, '.hive/runs/t/r1/sandbox/spool');
	await mkdir(spool, {recursive: true});
	const emit = async (input: string, env: object = {HIVE_TRACE_ID: 't', HIVE_AGENT_ID: 'r1'}) => {
		const hidden = {XDG_CONFIG_HOME: join(colony.home, 'nowhere'), ...env};
		const {stdout, exitCode} = await colony.hive(['event', 'emit', '--stdin'], {input, env: hidden});
		return {exit: exitCode, ...JSON.parse(stdout)};
	};
	expect(await emit('no json')).toMatchObject({exit: 5, ok: false, error: 'invalid_json'});
	expect(await emit(note('x'.repeat(256 * 1024)))).toMatchObject({exit: 5, error: 'event_too_large'});
	expect(await readdir(spool)).toEqual([]);
	expect(await emit(note('fits'))).toMatchObject({exit: 0, ok: true, queued: true});
	expect((await stat(join(spool, (await readdir(spool))[0] ?? ''))).mode & 0o777).toBe(0o600);
	for (let n = 0; n < 1000; n++) writeFileSync(join(spool, `${n.toString(16).padStart(28, '0')}.emit`), '');
	expect(await emit(note('too many'))).toMatchObject({exit: 5, error: 'too_many_events'});
	// Outside a run, and in a run without a spool, the log is required.
	for (const env of [
		{},
		{HIVE_TRACE_ID: 't', HIVE_AGENT_ID: 'r2'},
		{HIVE_TRACE_ID: '../t', HIVE_AGENT_ID: 'r1'},
	])
		expect(await emit(note('x'), env)).toMatchObject({ok: false, error: 'no_colony'});
});

const unshare = 'unshare';
const canMount = spawnSync(unshare, ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
if (!canMount)
	process.stderr.write('SKIPPED: no mounts in a user namespace here; no run is confined by the system.\n');

describe.skipIf(!canMount)('a run whose sandbox allows writes only to its spool', () => {
	it('gets an answer at once when it reaches the reactor, and otherwise has its spool read', async () => {
		const colony = await createColony({
			bees: {
				confined: {
					script: `
						machine="$HOME/.config/hive/scratch"; spool="$HIVE_RUN_DIR/sandbox/spool"
						cat >"$HIVE_WORKSPACE/inside.sh" <<-'END'
							mount --bind "$HIVE_COLONY_ROOT" "$HIVE_COLONY_ROOT"; mount --bind "$2" "$2"; mount --bind "$1" "$1"
							for ro in "$HIVE_COLONY_ROOT" "$1"; do mount -o remount,bind,ro "$ro"; done
							cd "$HIVE_COLONY_ROOT"
							for file in "$1/config.yaml" "$HIVE_RUN_DIR/stop-reason"; do
								(echo x >>"$file") 2>/dev/null && echo "wrote $file"
							done
							printf '%s' '${note('by the reactor')}' | hive event emit --stdin
							mount --bind /dev/null "$1/reactor.sock"
							printf '%s' '${note('by the spool')}' | hive event emit --stdin
							echo 'the result' >"$2/summary.md"
						END
						${unshare} -rm sh "$HIVE_WORKSPACE/inside.sh" "$machine" "$spool"`,
				},
			},
			// Use the form that "hive init" writes, so that the fast path of the command finds the reactor.
			files: {'.hive/colony.yaml': `slug: scratch\nid: scratch-${randomUUID()}\n`},
		});
		await colony.ask(create);
		expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
		const notes = await notesIn(colony);
		expect(notes.map(({payload}) => payload.summary)).toEqual(['by the reactor', 'by the spool']);
		expect(await answersIn(colony)).toMatchObject([
			{sequence: notes[0]?.sequence},
			{queued: true, id: notes[1]?.id},
		]);
		expect(await readFile(join(await directoryIn(colony), 'stdout.log'), 'utf8')).not.toContain('wrote');
		expect(await colony.ask(['task', 'show', '--trace', 't', '--task', 'a'])).toMatchObject({
			task: {summary: 'the result'},
		});
	});
});
