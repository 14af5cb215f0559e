import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, it, onTestFinished} from 'vitest';
import * as yaml from 'yaml';
import {canContain} from '../contain/namespaces.ts';
import {startBotApi} from '../helpers/bot-api.ts';
import {
	builder,
	type ColonyOnDisk,
	createColony,
	openColony,
	publishesIsolated,
} from '../helpers/colony-on-disk.ts';
import {createForgeColony} from '../helpers/forge-colony.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {serverOfWorker} from '../helpers/server-of-worker.ts';
import {shareBase} from '../helpers/shared-base.ts';
import {talkerProgram} from '../helpers/talk.ts';

const folder = join(import.meta.dirname, '../../docs/guide');

/** A part of a guide that the reader carries out. `body` of a command is one command with its input. */
type Step = {readonly isOnSecond: boolean} & (
	| {readonly kind: 'command'; readonly body: string; readonly exit: number}
	| {readonly kind: 'background'; readonly body: string}
	| {readonly kind: 'settings'; readonly path: string; readonly body: string}
);

/** What a guide begins with. */
type Scene = {
	readonly colony: ColonyOnDisk;
	/** The colony on another machine. */
	readonly second?: ColonyOnDisk;
	/** Host and port of the bus. */
	readonly server?: string;
	/** Root of the API of a forge. */
	readonly api?: string;
};

const fence = /^```([^\n]*)\n(.*?)^```$/gms;
const endOf = /# exits with (\d+)$/;

/** Joins the lines of a block that belong to one command: a backslash, a pipe or input until `END`. */
const commandsIn = (block: string): string[] => {
	const commands: string[] = [];
	let open = '';
	for (const line of block.split('\n').slice(0, -1)) {
		open += open === '' ? line : `\n${line}`;
		const isInput = open.includes("<<'END'") && !/\nEND$/.test(open);
		if (isInput || /[\\|]$/.test(line)) continue;
		commands.push(open);
		open = '';
	}
	return [...commands, ...(open === '' ? [] : [open])];
};

const stepsIn = (guide: string): Step[] =>
	[...guide.matchAll(fence)].flatMap(([, marks = '', block = '']): Step[] => {
		const isOnSecond = marks.includes(' second');
		const info = marks.replace(' second', '');
		// The set-up of a server is shown, and not carried out.
		if (info === 'console') return [];
		if (info === 'sh background') return [{kind: 'background', body: block, isOnSecond}];
		if (info === 'sh')
			return commandsIn(block).map(body => ({
				...{kind: 'command', body, isOnSecond},
				exit: Number(endOf.exec(body)?.[1] ?? 0),
			}));
		const [, path] = /^# (\S+)\n/.exec(block) ?? [];
		if (info === 'yaml' && path !== undefined) return [{kind: 'settings', path, body: block, isOnSecond}];
		throw new Error(`A block "${info}" is no step that the test can carry out:\n${block}`);
	});

/** A bee that plans tasks for the builder. */
const scoutOf = (...tasks: readonly string[]) => {
	const plan = {
		type: 'INSIGHT',
		payload: {
			kind: 'task.plan',
			tasks: tasks.map(taskId => ({taskId, title: `Change ${taskId}`, bee: 'builder'})),
		},
	};
	return {
		script: `emit '${JSON.stringify(plan)}'`,
		subscribes: [{type: 'SIGNAL', kind: 'feature.requested', dispatch: 'direct'}],
	};
};

const bees = {
	scout: scoutOf('readme'),
	builder: {
		...{worktree: true, publishes: publishesIsolated},
		script: 'date +%N >>readme.md; echo "Changed the readme."',
	},
};

const files = {
	'.hive/prompts/default.md': '{{.Task}}',
	'.hive/cues/feature.yaml': 'emit: signal\ntype: SIGNAL\nkind: feature.requested\ntitle: "{{.Title}}"\n',
};

type Listed = {
	readonly traceId: string;
	readonly taskId: string;
	readonly bee: string;
	readonly agentId: string;
};

/** What a reader puts in place of `<name>`: of the newest trace. */
const placeholders = ({colony: {ask}, server = '', api = ''}: Scene) => {
	const trace = async (): Promise<string> => {
		const {traces} = await ask<{traces: Listed[]}>(['status']);
		return (
			traces
				.map(({traceId}) => traceId)
				.toSorted()
				.at(-1) ?? ''
		);
	};
	const tree = async (): Promise<string> =>
		(await ask<{tree: string}>(['proposal', 'diff', '--trace', await trace()])).tree;
	const run = async (): Promise<string> => {
		const ofTrace = ['--trace', await trace()];
		const {tasks} = await ask<{tasks: Listed[]}>(['task', 'list', ...ofTrace]);
		const {taskId = ''} = tasks.find(({bee}) => bee !== '') ?? {};
		const {runs} = await ask<{runs: Listed[]}>(['task', 'show', ...ofTrace, '--task', taskId]);
		return runs[0]?.agentId ?? '';
	};
	const session = async (): Promise<string> => {
		const {sessions} = await ask<{sessions: {sessionId: string}[]}>(['session', 'list']);
		return sessions[0]?.sessionId ?? '';
	};
	return {trace, tree, run, session, server: async () => server, api: async () => api};
};

/** Starts a command with the variables that earlier ones exported. */
const startCommand = (colony: ColonyOnDisk, {kind, body}: {readonly kind: string; readonly body: string}) => {
	const kept = join(colony.home, 'exported');
	const known = `[ ! -f '${kept}' ] || . '${kept}'\n`;
	const script =
		kind === 'background'
			? `${known}exec ${body}`
			: `${known}${body}\ncode=$?\nexport -p >'${kept}'\nexit $code`;
	const bin = join(colony.home, 'bin');
	return spawn('bash', ['-c', script], {
		cwd: colony.root,
		env: {...process.env, ...colony.env, PATH: `${bin}:${process.env.PATH}`},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
};

/** Writes settings as a reader does: keys of a file that is there take their new values. */
const writeSettings = async (colony: ColonyOnDisk, path: string, body: string): Promise<void> => {
	const file = join(colony.root, path).replace(`${colony.root}/~`, colony.home).replace('<slug>', 'scratch');
	const before = existsSync(file) ? yaml.parse(await readFile(file, 'utf8')) : {};
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	await writeFile(file, yaml.stringify({...before, ...yaml.parse(body)}), {mode: 0o600});
};

const carryOut = async (scene: Scene, steps: readonly Step[]): Promise<void> => {
	for (const {home} of [scene.colony, scene.second ?? []].flat()) {
		await mkdir(join(home, 'bin'));
		const launcher = `#!/bin/sh\nexec '${process.execPath}' '${builtCommand()}' "$@"\n`;
		await writeFile(join(home, 'bin/hive'), launcher, {mode: 0o755});
	}
	const values = placeholders(scene);
	const fill = async (body: string): Promise<string> => {
		let filled = body;
		for (const [name, read] of Object.entries(values))
			if (filled.includes(`<${name}>`)) filled = filled.replaceAll(`<${name}>`, await read());
		return filled;
	};
	for (const step of steps) {
		const colony = step.isOnSecond ? scene.second : scene.colony;
		if (colony === undefined) throw new Error(`There is no second machine for: ${step.body}`);
		if (step.kind === 'settings') {
			await writeSettings(colony, step.path, await fill(step.body));
			continue;
		}
		const child = startCommand(colony, {...step, body: await fill(step.body)});
		if (step.kind === 'background') {
			const ended = once(child, 'close');
			onTestFinished(async () => {
				child.kill();
				await ended;
			});
			// It is at work once it has said so.
			await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
			continue;
		}
		const [stdout, stderr, exitCode] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			new Promise<number | null>(resolve => child.on('close', resolve)),
		]);
		expect(exitCode, `${step.body}\n${stdout}${stderr}`).toBe(step.exit);
	}
};

const createTwoMachines = async (): Promise<Scene> => {
	const {port} = await serverOfWorker();
	const first = await createColony({bees, files});
	const {clone} = await shareBase(first);
	const colony = openColony(first, first.home, {HIVE_BUS_URL: ''});
	const second = openColony(await clone(), await newHome(), {HIVE_BUS_URL: ''});
	return {colony, second, server: `127.0.0.1:${port}`};
};

/** A colleague comments on the pull request as soon as it is open. */
const createAtForge = async (): Promise<Scene> => {
	const {colony, server, env} = await createForgeColony({}, {bees, files});
	server.fail({
		match: /^POST .*\/pulls$/,
		change: () => server.comment(1, {author: 'ada', body: 'Shorter, please.'}),
	});
	const withToken = openColony(colony, colony.home, env);
	return {colony: withToken, api: server.place('github').api};
};

const newHome = async (): Promise<string> => {
	const home = await mkdtemp(join(tmpdir(), 'hive-home-'));
	onTestFinished(() => rm(home, {recursive: true, force: true, maxRetries: 5}));
	return home;
};

/** What each guide begins with. */
const scenes: Readonly<Record<string, () => Promise<ColonyOnDisk | Scene>>> = {
	'budgets.md': () => createColony({bees: {...bees, scout: scoutOf('first', 'second')}, files}),
	'containment.md': () => createColony({bees: {builder}}),
	'phone-and-chat.md': async () => {
		const [colony, api] = [await createColony(), await startBotApi()];
		await writeSettings(colony, '~/.config/hive/<slug>/chat.yaml', `api_root: ${api.url}`);
		return colony;
	},
	'plans.md': () => createColony({bees, files}),
	'pull-requests.md': createAtForge,
	'reviewing.md': () => createColony({bees, files}),
	'sessions.md': () =>
		createColony({
			bees: {talker: {...talkerProgram, interactive_command: ['cat']}},
			files: {'.hive/prompts/talk.md': '{{.Task}}'},
		}),
	'settings.md': () => createColony({bees, files: {'packages/api/readme.md': 'An API.\n'}}),
	'several-machines.md': createTwoMachines,
	'scripts-and-ci.md': () => createColony({bees, files}),
	'troubleshooting.md': () => createColony({bees, files}),
	'writing-bees.md': () => createColony({bees, files}),
};

const possible = Object.entries(scenes).filter(([name]) => name !== 'containment.md' || canContain.can);

it.each(possible)('each step of the guide %s works', async (name, createScene) => {
	const steps = stepsIn(await readFile(join(folder, name), 'utf8'));
	expect(steps).not.toEqual([]);
	const created = await createScene();
	await carryOut('colony' in created ? created : {colony: created}, steps);
});

it('the list of guides names every guide, and each is carried out', async () => {
	const withoutSteps = ['commands.md', 'dashboard.md', 'readme.md'];
	const guides = (await readdir(folder)).filter(name => !withoutSteps.includes(name));
	const listed = await readFile(join(folder, 'readme.md'), 'utf8');
	expect(guides.sort()).toEqual(Object.keys(scenes).sort());
	expect(guides.filter(name => !listed.includes(`](${name})`))).toEqual([]);
});
