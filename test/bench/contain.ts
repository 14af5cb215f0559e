import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Bee, Colony} from '../../source/colony/colony.ts';
import {containRun, type Launcher} from '../../source/dispatch/containment/contain-run.ts';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createContainment} from '../../source/drivers/containment/containment.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createProcesses} from '../../source/drivers/processes/processes.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const rounds = 60;

/** Rows 65 and 66 of docs/performance.md: what containment costs. None where nothing can be contained. */
export const benchContain = async (): Promise<Row[]> => {
	const processes = createProcesses({clock: createSystemClock()});
	const containment = createContainment(processes.which, []);
	const can = await containment.probe();
	if (!can.can) {
		console.error(`Left out: nothing is contained here: ${can.why}.`);
		return [];
	}
	// Not below /tmp, of which a contained run has its own.
	const root = await mkdtemp(join(homedir(), '.hive-bench-'));
	try {
		await writeFile(join(root, 'readme.md'), 'Something.\n');
		const ofGit = ['-C', root, '-c', 'user.name=b', '-c', 'user.email=b@localhost'];
		for (const args of [
			['init', '-q'],
			['add', '.'],
			['commit', '-qm', 'Begin'],
		])
			execFileSync('git', [...ofGit, ...args]);
		const git = createGit();
		const bee = {role: 'maker', adapter: 'script', contain: {mode: 'required'}} as unknown as Bee;
		const contain = async (agentId: string): Promise<Launcher> => {
			const made = await containRun(
				{
					...{containment, processes, git, files: createFiles()},
					...{environment: process.env, machineDir: join(root, 'machine/bench'), binDir: join(root, 'bin')},
					colony: () => ({root}) as Colony,
				},
				{traceId: 't', agentId, bee, checkout: root, workspace: root, movesBranch: false, argvs: [['true']]},
			);
			if (!made.ok) throw new Error(made.refusal.message);
			return made.value;
		};
		return [await benchStart(root, contain), await benchWork(root, await contain('work'))];
	} finally {
		await rm(root, {recursive: true, force: true});
	}
};

const benchStart = async (cwd: string, contain: (agentId: string) => Promise<Launcher>): Promise<Row> => {
	const plain: number[] = [];
	const contained: number[] = [];
	const prepared: number[] = [];
	for (let round = 0; round < rounds; round++) {
		plain.push(await timed(() => run(['true'], cwd)));
		const begun = performance.now();
		const launcher = await contain(`run${round}`);
		prepared.push(performance.now() - begun);
		contained.push(await timed(() => run(launcher.argv(['true']), cwd)));
	}
	const more = median(prepared) + median(contained) - median(plain);
	return {
		...{row: 65, name: 'start of a contained run, more than one that is not, in ms', ratio: more},
		...{target: '≤ 15 ms', met: more <= 15},
		detail: `${median(prepared).toFixed(1)} prepared, ${median(contained).toFixed(1)} started, ${median(plain).toFixed(1)} plain, ${rounds} rounds`,
	};
};

/** Writes, reads and removes files in the worktree. */
const work =
	'for (let n = 0; n < 1250; n++) { const name = "f" + (n % 50); fs.writeFileSync(name, "x"); fs.readFileSync(name); fs.statSync(name); fs.unlinkSync(name); } console.log(performance.now() - begun)';

const benchWork = async (cwd: string, launcher: Launcher): Promise<Row> => {
	const argv = [
		process.execPath,
		'-e',
		`const fs = require("node:fs"); const begun = performance.now(); ${work}`,
	];
	const plain: number[] = [];
	const contained: number[] = [];
	for (let round = 0; round < rounds / 2; round++) {
		plain.push(Number(await run(argv, cwd)));
		contained.push(Number(await run(launcher.argv(argv), cwd)));
	}
	const ratio = median(contained) / median(plain);
	return {
		...{row: 66, name: '5,000 file operations, contained / not', ratio, target: '≤ 1.05', met: ratio <= 1.05},
		detail: `${median(contained).toFixed(1)} / ${median(plain).toFixed(1)} ms, ${rounds / 2} rounds`,
	};
};

const run = async ([program = '', ...args]: readonly string[], cwd: string): Promise<string> => {
	const child = spawn(program, args, {cwd, stdio: ['ignore', 'pipe', 'inherit']});
	let output = '';
	child.stdout.on('data', part => {
		output += part;
	});
	const [exitCode] = await once(child, 'close');
	if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`);
	return output;
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
};
