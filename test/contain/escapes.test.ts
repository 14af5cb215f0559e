import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {containRun} from '../../source/dispatch/containment/contain-run.ts';
import {runToEnd} from '../../source/drivers/run-to-end.ts';
import {takeOver} from '../../source/workspaces/contained/take-over.ts';
import {createRig, scripted, traceId} from '../dispatch/rig.ts';
import {canContain} from './namespaces.ts';

/**
 * Each escape is a line of shell. It runs in the worktree of a trace, with no network, and prints `escaped`
 * if it got through. `check` looks from outside.
 */
const escapes: Readonly<Record<string, string>> = {
	'writes a file by its absolute path': 'echo x >"$OUT/absolute"',
	'writes a file of the checkout with ".."': 'echo x >../../../planted',
	'writes through a link made before the start': 'echo x >before-link/planted',
	'writes through a link made after the start': 'ln -s "$OUT" after-link; echo x >after-link/planted',
	'follows /proc/1/root': 'echo x >/proc/1/root"$OUT"/proc-root',
	'follows /proc/self/root': 'echo x >/proc/self/root"$OUT"/proc-self',
	'reads the environment of the supervisor': 'tr "\\0" "\\n" </proc/$OUTER/environ',
	'mounts the machine again': 'mount -o remount,rw / && echo x >"$OUT/remounted"',
	'binds the home over a folder of its own': 'mkdir b; mount --bind "$HOME/.ssh" b && cat b/id',
	'removes a mount over a secret': 'umount "$HOME/.ssh" && cat "$HOME/.ssh/id"',
	'removes a mount in a user namespace of its own':
		'unshare -rm sh -c "umount $HOME/.ssh && cat $HOME/.ssh/id"',
	'makes a folder writable in a user namespace of its own':
		'unshare -rm sh -c "mount -o remount,rw,bind / && echo x >$OUT/userns"',
	'attaches to a process outside': 'head -c1 /proc/$OUTER/mem; ls /proc/$OUTER/fd && echo escaped',
	'sends a signal to a process outside': 'kill -TERM $OUTER && echo escaped',
	'reads a private key': 'cat "$HOME/.ssh/id"',
	'reads the credentials of a cloud': 'cat "$HOME/.aws/credentials"',
	'reads the login of another agent tool': 'cat "$HOME/.codex/auth.json"',
	'reads a file of secrets': 'cat "$HOME/.netrc"',
	'writes to the start-up file of the shell': 'echo x >>"$HOME/.bashrc"',
	'asks the ssh agent': '[ -z "$SSH_AUTH_SOCK" ] || echo escaped; connect "$OUT/agent.sock"',
	'asks docker': 'connect /var/run/docker.sock; connect /run/docker.sock',
	'asks the X server': '[ -z "$DISPLAY" ] || echo escaped; connect /tmp/.X11-unix/X0',
	'asks D-Bus': '[ -z "$DBUS_SESSION_BUS_ADDRESS" ] || echo escaped; connect /run/dbus/system_bus_socket',
	'asks an abstract socket': 'connect "@$ABSTRACT"',
	'asks a server on the machine':
		"node -e \"require('net').connect($SERVER, '127.0.0.1', () => console.log('escaped')).on('error', () => {})\"",
	"asks hive's own socket": 'connect "$HIVE_FOLDER/reactor.sock"',
	"reads hive's machine folder": 'cat "$HIVE_FOLDER/secret"',
	'changes the settings of git': 'git config core.fsmonitor "touch $OUT/fsmonitor"',
	'plants a hook': 'echo "touch $OUT/hook" >"$REPOSITORY/hooks/post-checkout"',
	'adds an alternate': 'echo "$OUT" >"$REPOSITORY/objects/info/alternates"',
	'moves the worktree to another repository':
		'mkdir evil; echo "$PWD/evil" >"$(git rev-parse --git-dir)/commondir"',
	'replaces the .git file of its worktree': 'mkdir evil; rm -f .git; echo "gitdir: $PWD/evil" >.git',
	'moves the branch of a person': 'git update-ref refs/heads/main $(git commit-tree -m x HEAD^{tree})',
	"moves another trace's branch": 'git update-ref refs/heads/hive/other $(git commit-tree -m x HEAD^{tree})',
	"writes to another trace's worktree": 'mkdir -p ../other && echo x >../other/planted',
	"reads another trace's run": 'cat "$HIVE_COLONY_ROOT/.hive/runs/other/run/prompt.txt"',
	'changes a bee': 'echo "adapter: script" >"$HIVE_COLONY_ROOT/.hive/bees/evil.yaml"',
	"changes hive's record of its run": 'echo "{}" >"$HIVE_COLONY_ROOT/.hive/runs/$TRACE/run/meta.json"',
	'answers its own question': 'echo "{}" >"$HIVE_COLONY_ROOT/.hive/runs/$TRACE/run/answers/q"',
	'allows itself an act for good': 'echo "- x" >"$HIVE_FOLDER/permissions.yaml"',
	'names a supervisor in its run directory': 'mkdir "$HIVE_COLONY_ROOT/.hive/runs/$TRACE/run/x"',
};

/** Connects to a socket in node, since not every machine has a program for it. */
const shell = `connect() { node -e 'const [,path]=process.argv;require("net").connect({path:path.replace(/^@/,"\\0")},()=>{console.log("escaped");process.exit()}).on("error",()=>{})' "$1"; }
`;

it.skipIf(!canContain.can)('every escape of the corpus is refused', async () => {
	const closing: (() => unknown)[] = [];
	onTestFinished(async () => {
		for (const close of closing.reverse()) await close();
	});

	const listen = (path: string | number) =>
		new Promise<number>(resolve => {
			const server = createServer(socket => socket.end());
			closing.push(() => server.close());
			const done = () => {
				const address = server.address();
				resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
			};
			if (typeof path === 'number') server.listen(path, '127.0.0.1', done);
			else server.listen(path, done);
		});

	const outside = await mkdtemp(join(homedir(), '.hive-escapes-'));
	closing.push(() => rm(outside, {recursive: true, force: true}));
	const home = join(outside, 'home');
	const machine = join(outside, 'hive/scratch');
	for (const folder of ['.ssh', '.aws', '.codex']) await mkdir(join(home, folder), {recursive: true});
	for (const file of ['.ssh/id', '.aws/credentials', '.codex/auth.json', '.netrc', '.bashrc'])
		await writeFile(join(home, file), 'escaped\n');
	await mkdir(machine, {recursive: true});
	await writeFile(join(machine, 'secret'), 'escaped\n');
	await writeFile(join(machine, 'permissions.yaml'), '[]\n');
	const rig = await createRig({
		bees: {maker: scripted('true', {worktree: true, contain: {mode: 'required', network: 'none'}})},
		environment: {HOME: home, SSH_AUTH_SOCK: join(outside, 'agent.sock'), DISPLAY: ':0'},
	});
	await rig.repository.git(['worktree', 'add', '-qb', `hive/${traceId}`, `.hive/worktrees/${traceId}`]);
	await rig.repository.git(['worktree', 'add', '-qb', 'hive/other', '.hive/worktrees/other']);
	await mkdir(join(rig.root, '.hive/runs/other/run'), {recursive: true});
	await writeFile(join(rig.root, '.hive/runs/other/run/prompt.txt'), 'escaped\n');
	await mkdir(join(rig.root, `.hive/runs/${traceId}/run`), {recursive: true});
	await writeFile(join(rig.root, `.hive/runs/${traceId}/run/meta.json`), 'untouched\n');
	const worktree = join(rig.root, '.hive/worktrees', traceId);
	await symlink(outside, join(worktree, 'before-link'));
	await Promise.all([listen(join(outside, 'agent.sock')), listen(join(machine, 'reactor.sock'))]);
	const bee = rig.ports.colony().bees.get('maker');
	if (bee === undefined) throw new Error('There is no bee.');
	const made = await containRun(
		{...rig.ports, machineDir: machine},
		{
			...{traceId, agentId: 'run', bee, checkout: worktree, workspace: worktree},
			...{movesBranch: true, argvs: [[process.execPath]]},
		},
	);
	if (!made.ok) throw new Error(made.refusal.message);
	const launcher = made.value;
	const abstract = `hive-escapes-${process.pid}`;
	await listen(`\0${abstract}`);
	const outer = spawn('sleep', ['600'], {env: {MARK: 'escaped'}, stdio: 'ignore'});
	closing.push(() => outer.kill('SIGKILL'));
	const env: Readonly<Record<string, string>> = {
		...Object.fromEntries(
			Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
		),
		...{HOME: home, OUT: outside, HIVE_FOLDER: machine, TRACE: traceId, HIVE_COLONY_ROOT: rig.root},
		...{SSH_AUTH_SOCK: join(outside, 'agent.sock'), DISPLAY: ':0', ABSTRACT: abstract},
		...{OUTER: String(outer.pid), SERVER: String(await listen(0)), DBUS_SESSION_BUS_ADDRESS: 'unix:x'},
		...{REPOSITORY: join(rig.root, '.git'), GIT_CONFIG_GLOBAL: '/dev/null'},
		...{GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x'},
	};

	const stateOutside = async () => ({
		refs: await rig.repository.git(['for-each-ref']),
		settings: await readFile(join(rig.root, '.git/config'), 'utf8'),
		record: await readFile(join(rig.root, `.hive/runs/${traceId}/run/meta.json`), 'utf8'),
		dotGit: await readFile(join(worktree, '.git'), 'utf8'),
		commondir: await readFile(join(rig.root, '.git/worktrees', traceId, 'commondir'), 'utf8'),
		permissions: await readFile(join(machine, 'permissions.yaml'), 'utf8'),
		bashrc: await readFile(join(outside, 'home/.bashrc'), 'utf8'),
	});

	const planted = () =>
		[
			...['absolute', 'planted', 'proc-root', 'proc-self', 'remounted', 'userns', 'fsmonitor', 'hook'].map(
				name => join(outside, name),
			),
			join(rig.root, 'planted'),
			join(rig.root, '.git/hooks/post-checkout'),
			join(rig.root, '.git/objects/info/alternates'),
			join(rig.root, '.hive/bees/evil.yaml'),
			join(rig.root, '.hive/worktrees/other/planted'),
			join(rig.root, `.hive/runs/${traceId}/run/x`),
			join(rig.root, `.hive/runs/${traceId}/run/answers/q`),
		].filter(existsSync);

	const before = await stateOutside();
	const limits = {stdout: 65_536, stderr: 65_536};
	for (const [name, script] of Object.entries(escapes)) {
		const [program = '', ...args] = launcher.argv(['sh', '-c', shell + script]);
		const {stdout, stderr} = await runToEnd(program, args, {cwd: worktree, env: launcher.env(env), limits});
		expect.soft(`${stdout}${stderr}`, name).not.toMatch(/^escaped$|MARK=escaped/m);
		expect.soft(planted(), name).toEqual([]);
	}
	// What it made in its own git folder is taken over only if it is its own.
	await takeOver(rig.ports.git, join(rig.root, `.hive/runs/${traceId}/run/contained`));
	expect(await stateOutside()).toEqual(before);
});

it.skipIf(!canContain.can)('a process that a contained run leaves behind ends with it', async () => {
	const rig = await createRig({
		bees: {
			maker: scripted(`(sleep 1000; echo late >late) & echo left`, {worktree: true, contain: 'required'}),
		},
	});
	const {agentId, run} = await rig.run('maker');
	expect(run.status).toBe('completed');
	expect(await rig.processes.sweep(rig.directoryOf(agentId), agentId)).toBe(0);
});
