import {type ChildProcess, spawn} from 'node:child_process';
import {appendFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {HiveError} from '../../domain/errors.ts';
import {linesOf} from './checks.ts';
import {findProcesses, killProcess} from './found-processes.ts';

export type Ended = {readonly exitCode: number | null; readonly stdout: string; readonly stderr: string};

/** A copy of a repository with a colony of its own, and a home, in one temporary folder. */
export type Scratch = {
	readonly folder: string;
	readonly root: string;
	readonly home: string;
	/** Short name of the base branch. */
	readonly base: string;
	/** The person's own unsaved files in the copy, with their text. */
	readonly own: ReadonlyMap<string, string>;
	/** Starts hive as the leader of a process group. */
	readonly start: (args: readonly string[]) => ChildProcess;
	/** Runs hive to its end, which a kill at `limitMs` makes. */
	readonly hive: (args: readonly string[], limitMs: number, input?: string) => Promise<Ended>;
	readonly git: (args: readonly string[], limitMs?: number) => Promise<Ended>;
	/** Lines of a file in the home where agents make notes. */
	readonly noted: (name: string) => Promise<string[]>;
	/** Ends every process of the scratch colony. */
	readonly end: () => void;
	readonly remove: () => Promise<void>;
};

export type ScratchOptions = {
	/** The repository to copy. It is only read. */
	readonly source: string;
	/** The program of hive. */
	readonly program: string;
	/** Search path of programs. */
	readonly searchPath: string | undefined;
	/** Milliseconds after which the copy has to be there. */
	readonly copyLimitMs: number;
};

/** Milliseconds after which a git that copies or checks is taken for hung. */
const gitLimitMs = 120_000;

/**
 * The agent of every task: it notes that it started, waits, and writes one file. A task id is
 * `<name>.<milliseconds>.<manner>`. A commit waits for its turn with git's clean-up, since a clean-up beside
 * a commit of git itself may lose objects.
 */
const agent = `echo "$HIVE_AGENT_ID $HIVE_TRACE_ID $HIVE_TASK_ID" >>"$HOME/starts"
IFS=. read -r name pause how <<END
$HIVE_TASK_ID
END
sleep "$(printf '0.%03d' "$pause")"
mkdir -p hive-torture
echo "$HIVE_TRACE_ID $name $HIVE_AGENT_ID" >"hive-torture/$HIVE_TRACE_ID-$name.md"
case $how in
emit) echo '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"said by an agent"}}' |
	hive event emit --stdin >>"$HOME/answers" ;;
commit) if mkdir "$HOME/turn" 2>/dev/null; then
	git add hive-torture && git commit -qm "$HIVE_TASK_ID"
	rmdir "$HOME/turn"
fi ;;
esac
echo "Did $name"
`;

export const colonyFiles: Readonly<Record<string, string>> = {
	'.hive/colony.yaml':
		'slug: torture\ndefaults: {energy_budget: 500, default_bee: builder, max_parallel_runs: 4}\n',
	'.hive/agents/builder.sh': agent,
	'.hive/bees/builder.yaml': JSON.stringify({
		role: 'builder',
		adapter: 'script',
		command: ['sh', '$COLONY_ROOT/.hive/agents/builder.sh'],
		worktree: true,
		timeout: '1m',
		publishes: [
			{type: 'MUTATION', kind: 'code.proposal.isolated'},
			{type: 'INSIGHT', kind: 'context.note'},
		],
	}),
};

const notes = 'hive-torture/notes.md';

/** Copies the repository's last commit, and puts a colony of scripted bees into the copy. */
export const createScratch = async ({
	source,
	program,
	searchPath,
	copyLimitMs,
}: ScratchOptions): Promise<Scratch> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-torture-')));
	const [root, home] = [join(folder, 'root'), join(folder, 'home')];
	const env = {
		...{PATH: searchPath, HOME: home, TMPDIR: folder, LC_ALL: 'C'},
		...{GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_LFS_SKIP_SMUDGE: '1'},
		GIT_TERMINAL_PROMPT: '0',
	};
	const launch = (file: string, args: readonly string[], cwd: string) =>
		spawn(file, args, {cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true});
	const start = (args: readonly string[]) => {
		const child = launch(process.execPath, [program, ...args], root);
		child.stdin.on('error', () => {}).end();
		child.stdout.resume();
		child.stderr.resume();
		return child;
	};
	const git: Scratch['git'] = (args, limitMs = gitLimitMs) => toEnd(launch('git', args, root), limitMs);
	const hive: Scratch['hive'] = (args, limitMs, input) =>
		toEnd(launch(process.execPath, [program, ...args], root), limitMs, input);
	const end = () => {
		for (const {pid} of findProcesses(folder)) killProcess(pid);
	};
	const remove = () => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
	try {
		await mkdir(home);
		const clone = ['clone', '--quiet', '--no-hardlinks', '--no-tags', '--single-branch', '--template='];
		const copied = await toEnd(launch('git', [...clone, '--', source, root], folder), copyLimitMs);
		if (copied.exitCode === null)
			throw new HiveError('timeout', {
				message: 'The repository could not be copied in this time.',
				hint: 'Give it more minutes.',
			});
		expectDone(copied, 'git clone');
		const base = await settle(git, root);
		const prepared = await hive(['init', '--json'], copyLimitMs);
		expectDone(prepared, 'hive init');
		expectDone(await git(['add', '--all', '--force', '.hive']), 'git add');
		await git(['commit', '--quiet', '--message', 'hive init']);
		const own = new Map([
			[notes, 'notes\nwritten by a person, not committed\n'],
			['hive-torture-own.md', 'untracked\n'],
		]);
		for (const [path, text] of own) await writeFile(join(root, path), text);
		const noted = async (name: string) => linesOf(await readFile(join(home, name), 'utf8').catch(() => ''));
		return {folder, root, home, base, own, start, hive, git, noted, end, remove};
	} catch (error) {
		end();
		await remove();
		throw error;
	}
};

/** Commits the colony in place of one that the repository has. Returns the branch. */
const settle = async (git: Scratch['git'], root: string): Promise<string> => {
	const settings = {
		'user.name': 'Ada',
		'user.email': 'ada@example.org',
		'gc.auto': '0',
		'commit.gpgSign': 'false',
	};
	for (const [name, value] of Object.entries(settings))
		expectDone(await git(['config', name, value]), 'git config');
	const named = await git(['symbolic-ref', '--quiet', '--short', 'HEAD']);
	const base = named.exitCode === 0 ? named.stdout.trim() : 'main';
	if (named.exitCode !== 0) expectDone(await git(['checkout', '--quiet', '-B', base]), 'git checkout');
	await git(['symbolic-ref', '--delete', 'refs/remotes/origin/HEAD']);
	await git(['remote', 'remove', 'origin']);
	await git(['rm', '-r', '--quiet', '--force', '--ignore-unmatch', '--', '.hive']);
	await rm(join(root, '.hive'), {recursive: true, force: true});
	const files = {...colonyFiles, [notes]: 'notes\n'};
	for (const [path, text] of Object.entries(files)) {
		await mkdir(join(root, path, '..'), {recursive: true});
		await writeFile(join(root, path), text);
	}
	await appendFile(join(root, '.gitignore'), '\n!/hive-torture/\n!/hive-torture/**\n/hive-torture-own.md\n');
	expectDone(await git(['add', '--force', '--', '.gitignore', ...Object.keys(files)]), 'git add');
	expectDone(await git(['commit', '--quiet', '--message', 'A colony of scripted bees']), 'git commit');
	return base;
};

const expectDone = ({exitCode, stdout, stderr}: Ended, what: string): void => {
	if (exitCode !== 0)
		throw new Error(`${what} ended with ${exitCode}: ${(stderr || stdout).trim().slice(-400)}`);
};

/** Characters of output to keep. */
const keptOutput = 64 * 1024 * 1024;

const toEnd = (child: ReturnType<typeof spawn>, limitMs: number, input = ''): Promise<Ended> =>
	new Promise((resolve, reject) => {
		const texts = {stdout: '', stderr: ''};
		for (const name of ['stdout', 'stderr'] as const)
			child[name]?.setEncoding('utf8').on('data', (text: string) => {
				if (texts[name].length < keptOutput) texts[name] += text;
			});
		const timer = setTimeout(() => killGroup(child), Math.max(1, limitMs));
		child.stdin?.on('error', () => {});
		child.stdin?.end(input);
		child.on('error', error => {
			clearTimeout(timer);
			reject(error);
		});
		child.on('close', exitCode => {
			clearTimeout(timer);
			resolve({exitCode, ...texts});
		});
	});

/** Kills a child with all processes of its group. */
export const killGroup = ({pid}: ChildProcess): void => {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
};
