import {execFileSync} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {processesHolding} from '../chaos/machine.ts';
import {builder, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {createSessionScene, isOver, leave, talkerProgram, typeAndWait} from '../helpers/talk.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

const sane = {alternate: false, cursorHidden: false, bracketedPaste: false, mouse: false};

/** A restored terminal has the modes that a shell expects. */
const cooked = /^over$/m;
const isCooked = (screen: string): boolean =>
	cooked.test(screen) && !/-(icanon|echo|isig)\b/.test(screen) && /\bicanon\b/.test(screen);

const liveState: unknown = expect.stringMatching(/^(working|waiting|idle)$/);

const parentOf = (pid: number): number =>
	Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], {encoding: 'utf8'}));

describe('a session', () => {
	test('begins with the first words, is used, detached, and attached again in the same state', async () => {
		const {run, only, attached} = await createSessionScene();
		const first = run(['bee', 'chat', 'talker', 'Fix the bee', '--trace', 't']);
		await first.until(screen => screen.includes('talker of [Fix the bee] about []'));
		await typeAndWait(first, 'say hello', 'heard hello');
		const session = await only();
		expect(session).toMatchObject({traceId: 't', bee: 'talker', state: liveState, pid: expect.any(Number)});
		await attached(1);
		await typeAndWait(first, 'full', 'drawn');
		expect(first.modes()).toEqual({alternate: true, cursorHidden: true, bracketedPaste: true, mouse: true});
		const before = first.screen();
		const left = await leave(first);
		expect(left).toMatch(/Left talker; the session goes on\..*left with 0/s);
		expect(isCooked(left)).toBe(true);
		expect(first.modes()).toEqual(sane);
		await attached(0);
		const second = run(['session', 'attach', session.sessionId.slice(-8)]);
		// The screen content arrives before the terminal modes.
		await second.until(() => Object.values(second.modes()).every(Boolean));
		expect(second.screen()).toEqual(before);
		await typeAndWait(second, 'normal', 'back');
		expect(second.screen().join('\n')).toContain('heard hello');
		expect(await only()).toMatchObject({pid: session.pid, sessionId: session.sessionId});
	});

	test('warns that a log-out may end it: at its start, when detached, and in its log', async () => {
		const colony = await createSessionScene();
		// Imitates a system that ends all processes at log-out, and cannot keep a session.
		const programs = {
			loginctl:
				'printf "Linger=no\\nKillOnlyUsers=$(id -un)\\nKillExcludeUsers=none\\nKillUserProcesses=yes\\n"',
			'systemd-run': `echo asked >>'${join(colony.home, 'asked')}'; exit 1`,
		};
		for (const [name, script] of Object.entries(programs))
			await writeFile(join(colony.home, name), `#!/bin/sh\n${script}\n`, {mode: 0o755});
		const said = join(colony.home, 'said');
		const command = [process.execPath, builtCommand(), 'bee', 'chat', 'talker', '--trace', 't'];
		const terminal = openTerminal(['sh', '-c', '"$@" 2>"$0"; echo over; read -r _', said, ...command], {
			...{columns: 80, rows: 24, cwd: colony.root},
			env: {...colony.env, PATH: `${colony.home}:${process.env.PATH}`},
		});
		onTestFinished(terminal.close);
		await terminal.until(screen => screen.includes('talker of ['));
		const warning = /This session (may end when you log out|ends when you log out everywhere)/;
		expect(await readFile(said, 'utf8')).toMatch(warning);
		expect(await leave(terminal)).toMatch(warning);
		const {sessionId} = await colony.only();
		expect((await colony.hive(['logs', sessionId])).stdout).toMatch(warning);
	});

	test('continues when its command is killed, and without a reactor', async () => {
		const {run, chat, attached, only} = await createSessionScene();
		const {terminal, session} = await chat();
		await typeAndWait(terminal, 'say remember', 'heard remember');
		const [command] = childrenOf(terminal.pid);
		process.kill(command ?? 0, 'SIGKILL');
		await terminal.until(screen => screen.includes('left with 137'));
		await attached(0);
		expect(await only()).toMatchObject({state: liveState, pid: session.pid});
		const again = run(['session', 'attach', session.sessionId]);
		await again.until(screen => screen.includes('heard remember'));
		await typeAndWait(again, 'say more', 'heard more');
	});

	test('passes every key and paste unchanged, with Ctrl+] typed twice, and detaches on another encoding of Ctrl+]', async () => {
		const {chat} = await createSessionScene();
		const {terminal} = await chat();
		await typeAndWait(terminal, 'keys', 'keys\nkeys\n');
		const keys = '\x1b[200~a\r\x1db\x1b[201~\x1b[93;7u\x03\x1a\x1b[<0;3;4M\x1bOA\u00e9q';
		terminal.type(`\x1d\x1d${keys}`);
		const hex = `1d${Buffer.from(keys).toString('hex')}`;
		await terminal.until(screen => screen.replaceAll('\n', '').includes(`got ${hex}`));
		terminal.type('\x1b[93;69:1u');
		expect(await terminal.until(isOver)).toContain('left with 0');
	});

	test('has the size of the terminal with the last input, and fills only a corner of larger ones', async () => {
		const {chat, run} = await createSessionScene();
		const {terminal: one, session} = await chat();
		one.resize(90, 20);
		await one.until(screen => screen.includes('now 20 90'));
		const other = run(['session', 'attach', session.sessionId], {columns: 100, rows: 30});
		await other.until(screen => screen.includes('now 30 100'));
		await typeAndWait(one, 'say mine', 'heard mine');
		await other.until(screen => screen.includes('90x20, the size of another terminal.'));
		await typeAndWait(other, 'size', 'size 30 100');
		await one.until(screen => screen.includes('size 30 100'));
	});

	test('accepts no input with --read-only', async () => {
		const {chat, run} = await createSessionScene();
		const {terminal, session} = await chat();
		const reader = run(['session', 'attach', session.sessionId, '--read-only'], {columns: 70, rows: 30});
		await reader.until(screen => screen.includes('talker of'));
		reader.type('say intruder\r');
		await typeAndWait(terminal, 'say well', 'heard well');
		const seen = await reader.until(screen => screen.includes('heard well'));
		expect(seen).not.toContain('intruder');
		await typeAndWait(terminal, 'size', 'size 24 80');
		expect(await leave(reader)).toContain('left with 0');
	});

	test('can be attached after freeze and thaw', async () => {
		const {chat, run, ask} = await createSessionScene();
		const {terminal, session} = await chat();
		await typeAndWait(terminal, 'say before', 'heard before');
		await leave(terminal);
		expect(await ask(['freeze', '--trace', 't'])).toMatchObject({runs: [{bee: 'talker'}]});
		const waiting = run(['session', 'attach', session.sessionId]);
		await ask(['thaw', '--trace', 't']);
		await waiting.until(screen => screen.includes('heard before'));
		await typeAndWait(waiting, 'say after', 'heard after');
	});
});

describe('the end of a session', () => {
	test('ends its command, which reports the outcome', async () => {
		const {chat, list} = await createSessionScene();
		const {terminal} = await chat();
		await typeAndWait(terminal, 'full', 'full screen');
		terminal.type('exit 3\r');
		const screen = await terminal.until(isOver);
		expect(screen).toMatch(/talker failed .*exit code 3.*left with 1/s);
		expect(terminal.modes()).toEqual(sane);
		expect(await list()).toEqual([]);
		expect(await list('--all')).toMatchObject([{state: 'failed', attached: 0}]);
	});

	test('shows the last screen of a program that exits at once, even to a late viewer', async () => {
		const exits = 'echo "No such model."; exit 4';
		const brief = {...talkerProgram, interactive_command: ['sh', '-c', exits]};
		const unseen = {
			...talkerProgram,
			interactive_command: ['sh', '-c', `rm "$HIVE_RUN_DIR/session.key"; ${exits}`],
		};
		const {run} = await createSessionScene({bees: {brief, unseen}});
		for (const role of ['brief', 'unseen']) {
			const terminal = run(['bee', 'chat', role]);
			expect(await terminal.until(isOver)).toMatch(
				new RegExp(`${role} failed.*exit code 4.*left with 1`, 's'),
			);
			expect(terminal.raw()).toContain('No such model.');
		}
	});

	test('publishes its proposal and its deferred events, for one unit of honey', async () => {
		const proposing = {...talkerProgram, worktree: true, publishes: publishesIsolated};
		const {chat, replay, ask} = await createSessionScene({
			bees: {talker: proposing},
			settings: {defaults: {energy_budget: 5}},
		});
		const {terminal} = await chat();
		await typeAndWait(terminal, 'write new.txt', 'wrote new.txt');
		await typeAndWait(terminal, 'defer for later', 'deferred 0');
		terminal.type('exit 0\r');
		expect(await terminal.until(isOver)).toMatch(/talker completed.*left with 0/s);
		const events = await replay('t');
		const kinds = events.map(({payload}) => payload.kind);
		expect(kinds.filter(kind => kind === 'energy.consume')).toHaveLength(1);
		expect(kinds).toContain('code.proposal.isolated');
		expect(events.find(({payload}) => payload.kind === 'context.note')?.payload).toMatchObject({
			summary: 'for later',
		});
		expect(await ask(['status'])).toMatchObject({traces: [{energyBudget: 5, energyRemaining: 4}]});
	});

	test('by hive session stop leaves no process of its tree, without a reactor', async () => {
		const {chat, root, ask, list} = await createSessionScene();
		const {terminal, session} = await chat();
		await typeAndWait(terminal, 'leave', 'left ');
		await typeAndWait(terminal, 'deaf', 'deaf ');
		await leave(terminal);
		expect(await ask(['session', 'stop', session.sessionId])).toMatchObject({state: 'cancelled'});
		await expect.poll(() => processesHolding(root).filter(pid => pid !== terminal.pid)).toEqual([]);
		expect(await list('--all')).toMatchObject([{state: 'cancelled'}]);
	});

	test.each([false, true])('follows the death of its holder, which is reported; deaf: %s', async isDeaf => {
		const {chat, root, list} = await createSessionScene();
		const {terminal, session} = await chat();
		if (isDeaf) await typeAndWait(terminal, 'deaf', 'deaf ');
		await typeAndWait(terminal, 'full', 'full screen');
		process.kill(parentOf(session.pid ?? 0), 'SIGKILL');
		const screen = await terminal.until(isOver);
		expect(screen).toMatch(/talker failed.*its terminal was ended by SIGKILL.*left with 1/s);
		expect(terminal.modes()).toEqual(sane);
		await expect.poll(() => processesHolding(root).filter(pid => pid !== terminal.pid)).toEqual([]);
		expect(await list('--all')).toMatchObject([{state: 'failed'}]);
	});
});

describe('a session beside other runs', () => {
	test('takes no slot, and holds its workspace', async () => {
		const {chat, ask, follow, open, notes} = await createSessionScene({
			bees: {
				talker: {...talkerProgram, worktree: true},
				builder: {...builder, script: `${builder.script}; [ "$HIVE_TASK_ID" != slow ] || wait_for go`},
			},
			settings: {defaults: {max_parallel_runs: 1}},
		});
		const create = (trace: string, task: string) =>
			ask(['task', 'create', '--trace', trace, '--task', task, '-b', 'x', '--bee', 'builder']);
		const started = async () => (await notes()).map(line => line.split(' ')[2]);
		const reactor = follow();
		await create('busy', 'slow');
		await reactor.event({kind: 'task.status', taskId: 'slow', status: 'running'});
		const {terminal, session} = await chat();
		await create('t', 'behind');
		await create('other', 'quick');
		await open('go');
		await reactor.event({kind: 'task.status', taskId: 'quick', status: 'running'});
		expect(await started()).not.toContain('behind');
		await ask(['session', 'stop', session.sessionId]);
		await reactor.event({kind: 'task.status', taskId: 'behind', status: 'running'});
		await terminal.until(isOver);
	});

	test('counts as waiting for a person once everything else is done', async () => {
		const {chat, ask, hive} = await createSessionScene();
		const {session} = await chat();
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(8);
		await ask(['session', 'stop', session.sessionId]);
		expect((await hive(['run', '--until-idle'])).exitCode).toBe(0);
	});
});

describe('a session is refused', () => {
	test('without a terminal, with a hint to the alternative', async () => {
		const {hive} = await createColony({bees: {talker: talkerProgram}});
		const {exitCode, stderr} = await hive(['bee', 'chat', 'talker']);
		expect([exitCode, stderr]).toEqual([2, expect.stringContaining('hive bee run talker --body')]);
	});

	test('for a bee without an interactive program, with or without a terminal', async () => {
		const silent = {adapter: 'alpha', script: ''};
		const {hive} = await createColony({bees: {builder, silent}});
		for (const role of ['builder', 'silent']) expect((await hive(['bee', 'chat', role])).exitCode).toBe(5);
		expect((await hive(['bee', 'chat', 'nobody'])).exitCode).toBe(3);
	});

	test('to agents, and the task of a session is only a name', async () => {
		const {chat, ask} = await createSessionScene();
		const {terminal, session} = await chat(['talker', '--trace', 't', '--task', 'a']);
		expect(terminal.screen().join('\n')).toContain('about [a]');
		await typeAndWait(terminal, 'hive bee chat talker', 'hive ended with 4');
		let refused = 1;
		const id = session.sessionId;
		for (const words of [`session attach ${id}`, `session stop ${id}`, `session send ${id} -b x`]) {
			terminal.type(`hive ${words}\r`);
			await terminal.until(screen => screen.split('hive ended with 4').length > refused + 1);
			refused += 1;
		}
		expect(await ask(['status'])).toMatchObject({traces: [{tasks: []}]});
	});
});

const childrenOf = (pid: number): number[] =>
	execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], {encoding: 'utf8'})
		.split('\n')
		.filter(Boolean)
		.map(Number);
