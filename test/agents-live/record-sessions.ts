import {mkdir, mkdtemp, realpath, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {gzipSync} from 'node:zlib';
import {runPath} from '../../source/runs/layout.ts';
import {programEnvironment} from '../../source/sessions/environment.ts';
import {endHolding} from '../chaos/machine.ts';
import {openEmulatedTerminal} from '../helpers/answering-terminal.ts';
import {install} from './install.ts';
import {asRecorded} from './normalise.ts';
import {
	replyIn,
	restMs,
	type SessionScene,
	sessionScenes,
	type TerminalTool,
	terminalTools,
} from './session-scenes.ts';
import {startStandInModel} from './stand-in-model.ts';
import {environmentOf, prepareHome} from './tools.ts';

/**
 * Records the terminals of real agent tools with a stand-in model: `node record-sessions.mjs claude --scene
 * start`. Prints the last screen of each, which tells the state that is expected of the recording.
 */
const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		scene: {type: 'string', multiple: true, default: sessionScenes.map(({name}) => name)},
		recordings: {type: 'string', default: 'test/sessions/recordings'},
		/** A folder that keeps the tools for the next run. */
		installed: {type: 'string'},
	},
});
const chosen = terminalTools.filter(({name}) => positionals.length === 0 || positionals.includes(name));
const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-sessions-')));
const installed = resolve(values.installed ?? join(folder, 'installed'));
const size = {columns: 90, rows: 28};

/** Output that comes within this many milliseconds is one line of a recording. */
const joinedMs = 100;

/** Milliseconds between two rows of a long answer. */
const storyIntervalMs = 400;

/** Milliseconds from the start, and what happened: output, input, a hook, the end of the program. */
type Line = readonly [number, 'o' | 'i' | 'h' | 'x', string];

const record = async (tool: TerminalTool, scene: SessionScene): Promise<void> => {
	const home = join(folder, tool.name, scene.name);
	const place = {installed, home, workspace: join(home, 'work'), model: ''};
	const model = await startStandInModel(asked => replyIn(tool, {...place, model: model.url})(asked));
	const here = {...place, model: model.url};
	const runDir = join(home, 'run');
	const lines: Line[] = [];
	const began = performance.now();
	const note = (kind: Line[1], text: string): void => {
		const now = Math.round(performance.now() - began);
		const last = lines.at(-1);
		if (kind === 'o' && last?.[1] === 'o' && now - last[0] < joinedMs)
			lines[lines.length - 1] = [last[0], 'o', last[2] + text];
		else lines.push([now, kind, text]);
	};
	const over = new AbortController();
	try {
		await mkdir(here.workspace, {recursive: true});
		await mkdir(runPath(runDir, 'spool'), {recursive: true});
		await prepareHome({files: () => tool.files(here, scene.setup)}, here);
		const [program = '', ...args] = tool.argv(here, scene.setup, scene.words, runDir);
		const decoder = new TextDecoder();
		const terminal = openEmulatedTerminal([program, ...args], {
			...{size, cwd: here.workspace},
			env: programEnvironment(environmentOf({env: () => tool.env(here)}, here), {trueColor: true}),
			onOutput: bytes => note('o', decoder.decode(bytes, {stream: true})),
		});
		const telling = setInterval(model.goOn, storyIntervalMs);
		over.signal.addEventListener('abort', () => clearInterval(telling));
		void watchHook(runPath(runDir, 'asked'), over.signal, () => note('h', ''));
		void terminal.ended.then(({exitCode}) => note('x', String(exitCode)));
		const type = (keys: string): void => {
			note('i', keys);
			terminal.type(keys);
		};
		try {
			await scene.play({...terminal, type, tool});
			await Promise.race([terminal.ended, pass(restMs)]);
		} finally {
			console.log(`--- ${tool.name} ${scene.name}\n${terminal.text()}`);
			console.log(`hooks ${lines.filter(([, kind]) => kind === 'h').length}; unknown ${model.unknown()}`);
			over.abort();
			// The end of the recording, without what its being killed prints.
			const kept = [
				...lines,
				...(lines.at(-1)?.[1] === 'x' ? [] : [[Math.round(performance.now() - began), 'o', ''] as const]),
			];
			terminal.close();
			await mkdir(join(values.recordings, tool.name), {recursive: true});
			const text = [{...size, package: tool.package}, ...kept].map(line => JSON.stringify(line)).join('\n');
			await writeFile(
				join(values.recordings, tool.name, `${scene.name}.ndjson.gz`),
				gzipSync(`${asRecorded(text, here)}\n`, {level: 9}),
			);
		}
	} finally {
		endHolding(home);
		model.close();
	}
};

/** Calls back whenever the file of the hooks has grown. */
const watchHook = async (path: string, signal: AbortSignal, call: () => void): Promise<void> => {
	let known = 0;
	while (!signal.aborted) {
		const now = await stat(path).then(
			found => found.size,
			() => 0,
		);
		if (now > known) call();
		known = now;
		await pass(50);
	}
};

try {
	await install(
		installed,
		chosen.map(tool => tool.package),
	);
	for (const tool of chosen)
		for (const scene of sessionScenes)
			if (values.scene.includes(scene.name) && scene.isPossible?.(tool) !== false)
				await record(tool, scene).catch((error: unknown) => {
					process.exitCode = 1;
					console.log(`${tool.name} ${scene.name}: FAULT: ${String(error).slice(0, 300)}`);
				});
} finally {
	await rm(folder, {recursive: true, force: true, maxRetries: 5});
}
