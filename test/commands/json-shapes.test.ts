import {mkdir, writeFile} from 'node:fs/promises';
import {expect, it} from 'vitest';
import {builder, type ColonyOnDisk, createColony, type Json, linesOf} from '../helpers/colony-on-disk.ts';
import {cue, scout} from '../helpers/scout.ts';

type Described = {readonly path: string; readonly json?: string};

/** Commands that need a terminal or a reactor of their own, and have other tests. */
const elsewhere = [
	...['dashboard', 'demo'],
	// This copies a repository: torture.test.ts.
	'torture',
	// These need a log that can be moved: bus-move.test.ts.
	...['bus move', 'bus verify'],
	// These need a terminal, or a program in one: sessions.test.ts.
	...['bee chat', 'session attach', 'session send', 'session stop'],
	// These need a required check: landing.test.ts.
	...['landing cancel', 'landing retry'],
	// These need a forge: forge.test.ts.
	...['forge watch', 'forge send'],
	// These need a run that waits: mcp.test.ts.
	...['mcp', 'answer', 'permission remove'],
	// This needs namespaces: test/contain/commands.test.ts.
	'contain try',
	// This needs a device: console-devices.test.ts.
	'console revoke',
	// These serve until they are stopped: test/console and test/chat.
	...['console', 'console link', 'gate chat', 'gate pair', 'gate chats', 'gate unpair'],
];

const t = ['--trace', 't'];
const of = (taskId: string) => [...t, '--task', taskId];

const plan = {
	tasks: [
		{taskId: 'fails', title: 'Fails', bee: 'failer'},
		{taskId: 'a', title: 'A', review: 'required'},
		{taskId: 'b', title: 'B'},
	],
};

/** Runs every command that prints one document, in an order in which each has data to print. */
const steps = async (colony: ColonyOnDisk, step: (args: string[], input?: string) => Promise<Json>) => {
	const idle = () => colony.hive(['run', '--until-idle']);
	await step(['init']);
	await step(['help']);
	await step(['help', 'help']);
	await step(['completion', 'bash']);
	await step(['cue', 'list']);
	await step(['cue', 'run', 'note', 'A note']);
	await step(['task', 'create', ...t, '--plan', '-'], JSON.stringify(plan));
	await step(['task', 'start', ...of('b')]);
	await idle();
	await step(['status']);
	await step(['task', 'list', ...t]);
	await step(['trace', 'show', 't']);
	const {runs} = await step(['task', 'show', ...of('a')]);
	const agentId = (runs as {agentId: string}[])[0]?.agentId ?? '';
	await step(['task', 'retry', ...of('fails')]);
	await step(['task', 'cancel', ...of('fails')]);
	await step(['proposal', 'list']);
	await step(['landing', 'list']);
	await step(['forge', 'list']);
	await step(['question', 'list']);
	await step(['permission', 'list']);
	await step(['proposal', 'show', ...t]);
	await step(['proposal', 'reject', ...of('a'), '--feedback', 'Again']);
	await idle();
	await step(['proposal', 'approve', ...of('a')]);
	await idle();
	await step(['proposal', 'diff', ...t]);
	await step(['proposal', 'diff', ...of('a')]);
	await step(['proposal', 'update', ...t]);
	await step(['energy', 'show', ...t]);
	await step(['energy', 'add', ...t, '--amount', '2']);
	const note = {traceId: 't', type: 'INSIGHT', payload: {kind: 'context.note', summary: 'x'}};
	await step(['event', 'validate', '--stdin'], JSON.stringify(note));
	await step(['event', 'emit', '--stdin'], JSON.stringify(note));
	await step(['event', 'pending', ...t, '--agent', agentId]);
	await step(['event', 'flush', ...t, '--agent', agentId]);
	await step(['why', 'a']);
	await step(['blame', 'readme.md:1']);
	await step(['wait', ...t, '--for', 'idle']);
	await step(['inspect', 'usage', ...t]);
	await step(['doctor']);
	await step(['colony', 'topology']);
	await step(['contain', 'show', 'builder']);
	await step(['nuc', 'export', '-o', 'colony.nuc']);
	await step(['nuc', 'import', 'colony.nuc', '--dry-run']);
	await step(['restore', '--list']);
	await step(['prune', '--dry-run']);
	await step(['freeze', ...t]);
	await step(['thaw', ...t]);
	await step(['trace', 'take', ...t]);
	await step(['export', ...t]);
	await step(['bee', 'run', 'builder', '-b', 'x']);
	const failed = await colony.ask<{agentId: string}>(['bee', 'run', 'failer', '-b', 'x'], {exit: 1});
	await step(['bee', 'retry', failed.agentId]);
	await step(['invite', 'record', ...t, '--bee', 'drone', '-b', 'x', '--invite-id', 'i']);
	await step(['invite', 'reject', 'i', '--defer']);
	await step(['invite', 'accept', 'i']);
	await step(['invite', 'list', '--status', 'all']);
	await step(['session', 'list']);
	await step(['session', 'search', 'x']);
	await step(['console', 'token']);
	await step(['console', 'devices']);
	const p = ['--trace', 'p'] as const;
	await step(['cue', 'run', 'feature', 'Plan it', ...p, '--plan-review', 'required']);
	await idle();
	await step(['plan', 'show', ...p]);
	await step(['plan', 'return', ...p, '--body', 'Tests first']);
	await idle();
	await step(['plan', 'edit', ...p, '--tasks', '-'], '[{taskId: api, title: Edited}]');
	await step(['plan', 'accept', ...p]);
	await step(['kill', ...t]);
	return agentId;
};

it('every command prints its declared --json shape, in one document with the version of the shape', async () => {
	const colony = await createColony({
		bees: {builder, scout, failer: {script: 'exit 1'}},
		files: {
			...cue,
			'.hive/cues/note.yaml': 'emit: signal\ntype: SIGNAL\nkind: note.taken\ntitle: "{{.Title}}"\n',
			'.hive/bees/drone.yaml': 'adapter: alpha\nprompt_template: drone.md\n',
			'.hive/prompts/drone.md': '{{.Task}}\n',
		},
	});
	const {groups} = await colony.ask<{groups: {commands: Described[]}[]}>(['help']);
	const declared = new Map(
		groups.flatMap(({commands}) => commands).map(({path, json}) => [path, json ?? '']),
	);
	const tried = new Set<string>();
	const wrong: object[] = [];
	const compare = (args: readonly string[], json: Json) => {
		const path = args.slice(0, 2).join(' ');
		const command = declared.has(path) ? path : (args[0] ?? '');
		const shapes = shapesOf(declared.get(command) ?? '');
		const keys = Object.keys(json).sort();
		tried.add(command);
		if (!shapes.some(shape => fits(keys, shape)) || json.v !== 1)
			wrong.push({command, printed: keys, declared: shapes});
	};
	const agentId = await steps(colony, async (args, input = '') => {
		const json = await colony.ask(args, {input});
		compare(args, json);
		return json;
	});
	const recording = `${colony.root}/.hive/runs/t/${agentId}/recording`;
	await mkdir(recording);
	const header = {version: 2, width: 80, height: 24, timestamp: 1, hive: {at: 0, snapshot: 0}};
	await writeFile(`${recording}/000001.cast`, `${JSON.stringify(header)}\n`);
	for (const args of [
		['replay', 't'],
		['session', 'replay', agentId],
		['logs', agentId],
		['run', '--until-idle'],
	]) {
		const {stdout} = await colony.hive([...args, '--json']);
		const [line = '{}'] = linesOf(stdout);
		if (args[0] === 'run') tried.add('run');
		else compare(args, JSON.parse(line));
	}
	const purge = ['purge', '--trace', 't', '--confirm', 't', '--discard-unmerged'];
	compare(purge, await colony.ask(purge));
	expect(wrong).toEqual([]);
	const missing = [...declared.keys()].filter(path => !tried.has(path) && !elsewhere.includes(path));
	expect(missing).toEqual([]);
});

/** True if `keys` are the names of a shape; a name that ends in `?` is optional. */
const fits = (keys: readonly string[], shape: readonly string[]): boolean =>
	keys.every(key => shape.includes(key) || shape.includes(`${key}?`)) &&
	shape.every(name => name.endsWith('?') || keys.includes(name));

/**
 * Returns the names at the top level of each `{…}` of a declaration: `{v, a: […]} or {v, b}` is
 * `[[v, a], [v, b]]`.
 */
const shapesOf = (declaration: string): string[][] => {
	const shapes: string[][] = [];
	let depth = 0;
	let flat = '';
	for (const letter of declaration) {
		if ('{['.includes(letter)) depth++;
		if (depth === 1) flat += letter;
		if ('}]'.includes(letter)) depth--;
		if (depth === 0 && flat !== '') {
			shapes.push(
				flat
					.replace(/[{}]/g, '')
					.split(',')
					.map(name => (name.split(':')[0] ?? '').trim()),
			);
			flat = '';
		}
	}
	return shapes;
};
