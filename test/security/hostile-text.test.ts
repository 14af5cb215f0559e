import {access} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/**
 * Clears the screen, changes the title, answers queries for the person, hides and reverses text, and opens
 * endless sequences.
 */
const hostile =
	'\u001b[2J\u001b]0;owned\u0007\u001b]52;c;cm0=\u0007\u001b[6n\u009b31mred\r\u202e\u200b\u{e0041}\u0008\u007f\u001bP+q\u001b\\ \u001b]8;;evil';
const lines = `words ${hostile}\nnext: "x"\n---\nstatus: cancelled`;

/**
 * Control characters except the line feed, and characters that act as such. Only colours of hive may reach a
 * terminal.
 */
const forbidden = /(?!\n)[\p{Cc}\p{Cf}]|[\u{e0000}-\u{e01ef}]/u;
const colours = new RegExp(`${String.fromCharCode(27)}\\[(?:\\d{1,3}(?:;\\d{1,3})*)?m`, 'g');

const hostileBee = {
	worktree: true,
	publishes: publishesIsolated,
	post_exec: ['sh', '-c', "printf '%b' 'hook \\033[2J\\033]0;owned\\007\\r\\342\\200\\256' >&2; exit 1"],
	script: `printf '%b' 'out \\033[2J\\033]0;owned\\007\\r\\tend \\342\\200\\256\\n'; printf '%b' 'err \\033[2J\\n' >&2
printf '%b' 'x\\033[2J\\n' >"$(printf 'file\\033[2J.txt')"; printf 'x' >"$(printf 'two\\nlines.txt')"
printf '%b' '# Summary\\033[2J\\033]0;owned\\007\\r\\n---\\nstatus: completed\\n' >"$HIVE_RESULT_FILE"`,
};

const prepare = async () => {
	const colony = await createColony({bees: {hostile: hostileBee}});
	const {traceId} = await colony.ask<{traceId: string}>(
		['task', 'create', '--task', 'a', `--title=${lines}`, '--stdin', '--bee', 'hostile', '--autorun'],
		{input: lines},
	);
	await colony.hive(['run', '--until-idle']);
	const status = await colony.ask<{traces: {runs: {agentId: string}[]}[]}>(['status']);
	return {colony, traceId, agentId: status.traces[0]?.runs[0]?.agentId ?? ''};
};

test('no command passes hostile text to a terminal, or a control character to a pipe', async () => {
	const {colony, traceId, agentId} = await prepare();
	const at = ['--trace', traceId];
	for (const args of [
		['status'],
		['task', 'list', ...at],
		['task', 'show', ...at, '--task', 'a'],
		['task', 'show', ...at, '--task', lines],
		['replay', traceId],
		['why', 'a', ...at],
		['logs', agentId],
		['logs', agentId, '--stderr'],
		['proposal', 'list'],
		['proposal', 'diff', ...at],
		['proposal', 'diff', ...at, '--task', 'a'],
		['restore', '--list'],
		['proposal', 'reject', ...at, '--task', 'zz', `--feedback=${lines}`],
		['doctor'],
	]) {
		const {stdout, stderr} = await colony.hive(args);
		expect([args[0], args[1], `${stdout}${stderr}`.match(forbidden)]).toEqual([args[0], args[1], null]);
		const terminal = openTerminal([process.execPath, builtCommand(), ...args], {
			cwd: colony.root,
			env: {...colony.env, NO_COLOR: ''},
		});
		await terminal.ended;
		const drawn = terminal.raw().replaceAll('\r\n', '\n').replace(colours, '');
		terminal.close();
		expect([args[0], args[1], drawn.match(forbidden)]).toEqual([args[0], args[1], null]);
	}
});

test('hostile text stays in one field of files and commits, and adds no field, trailer or commit', async () => {
	const {colony, traceId} = await prepare();
	const task = await colony.read(`.hive/runs/${traceId}/tasks/a/task.md`);
	const front = task.split('\n---\n')[0] ?? '';
	expect(front.split('\n').filter(line => line.startsWith('status:'))).toEqual(['status: "completed"']);
	expect(task).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
	const approved = await colony.ask<{commit: string}>([
		'proposal',
		'approve',
		'--trace',
		traceId,
		'--task',
		'_review',
	]);
	const message = await colony.git(['show', '--no-patch', '--format=%s%n%b', approved.commit]);
	expect(message).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
	expect(
		await colony.git([
			'show',
			'--no-patch',
			'--format=%(trailers:key=Hive-Trace,valueonly)',
			approved.commit,
		]),
	).toBe(traceId);
});

/** Text that would run as a command, act as an option, or exceed the length of an argument. */
const shellish = `$(touch ran) \`touch ran\` ; touch ran & | touch ran > ran "quoted' \${IFS} %s %n -- \\\n--option=x`;

test('text from people and agents is never executed as part of a command line', async () => {
	const recording = {
		worktree: true,
		publishes: publishesIsolated,
		command: ['sh', '$COLONY_ROOT/.hive/agents/bee.sh', '$PROMPT', '$TASK_ID'],
		prompt_template: 'do.md',
		script: `printf '%s' "$1" >prompt.txt; printf '%s' '${shellish.replaceAll("'", "'\\''")}' >"$HIVE_RESULT_FILE"`,
	};
	const colony = await createColony({bees: {bee: recording}, files: {'.hive/prompts/do.md': '{{.Task}}\n'}});
	const {traceId} = await colony.ask<{traceId: string}>(
		['task', 'create', `--title=-rf ${shellish}`, '--stdin', '--bee', 'bee', '--autorun'],
		{input: shellish},
	);
	await colony.hive(['run', '--until-idle']);
	const worktree = `.hive/worktrees/${traceId}`;
	expect(await colony.read(`${worktree}/prompt.txt`)).toContain(shellish);
	const {commit} = await colony.ask<{commit: string}>([
		...['proposal', 'approve', '--trace', traceId, '--task', '_review'],
		`--summary=${shellish}`,
		`--merge-message=--amend ${shellish}`,
	]);
	expect(await colony.git(['show', '--no-patch', '--format=%s', commit])).toContain('--amend $(touch ran)');
	for (const folder of [colony.root, join(colony.root, worktree), colony.home])
		await expect(access(join(folder, 'ran'))).rejects.toThrow();
});

test('a prompt that is too long for an argument is passed completely in its file', async () => {
	const long = `${'word '.repeat(12_000)}$(touch ran)`;
	const bee = {
		command: ['sh', '$COLONY_ROOT/.hive/agents/bee.sh', '$PROMPT'],
		prompt_template: 'long.md',
		script: `[ "$(grep -c 'touch ran' "$HIVE_PROMPT_FILE")" = 3 ] && wc -c <"$HIVE_PROMPT_FILE" && printf '%s\\n' "$1" | wc -c`,
	};
	const colony = await createColony({
		bees: {bee},
		files: {'.hive/prompts/long.md': '{{.Task}}\n{{.Task}}\n{{.Task}}\n'},
	});
	const {traceId} = await colony.ask<{traceId: string}>(
		['task', 'create', '--task', 'a', '--title', 'x', '--stdin', '--bee', 'bee', '--autorun'],
		{input: long},
	);
	expect((await colony.hive(['run', '--until-idle'])).exitCode).toBe(0);
	const task = await colony.ask<{status: string}>(['task', 'show', '--trace', traceId, '--task', 'a']);
	expect(JSON.stringify(task)).toContain('"status":"completed"');
	expect(await colony.exists('ran')).toBe(false);
});
