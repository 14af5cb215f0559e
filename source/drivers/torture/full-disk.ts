import {spawn} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TortureReport} from '../../domain/torture.ts';
import {colonyFiles, killGroup, type Scratch, type ScratchOptions} from './scratch.ts';

type Played = {
	readonly fullDisk: TortureReport['fullDisk'];
	/** What was lost on the full disk, one sentence each. */
	readonly lost: readonly string[];
};

/** The exit code of the script below if there can be no file system of its own. */
const noFileSystem = 77;

/**
 * Makes a file system of 64 MB that this process tree alone can see, with a colony in it. Its work begins
 * while the disk is full, and has to be done once there is space.
 */
const script = `
set -u
mount -t tmpfs -o size=64m torture "$1" 2>/dev/null || exit ${noFileSystem}
hive() { "$NODE" "$PROGRAM" "$@"; }
HOME=$1/home TMPDIR=$1; export HOME TMPDIR
mkdir "$1/home" && cp -R "$2" "$1/root" && cd "$1/root" || exit ${noFileSystem}
git init --quiet --initial-branch=main && git config user.name Ada && git config user.email ada@example.org
git add --all && git commit --quiet -m first && hive init --json >/dev/null && git add --all && git commit --quiet -m init
hive task create --trace full --plan - --json <"$3" || { echo "LOST no plan could be made"; exit 1; }
cat /dev/zero >"$1/filler" 2>/dev/null
hive run --until-idle --timeout 3s >/dev/null 2>&1
echo "FIRST $?"
rm -f "$1/filler"
for round in 1 2 3 4; do
	hive run --until-idle --timeout 10s >/dev/null 2>&1
	for task in one.1.plain two.1.commit; do hive task retry --trace full --task "$task" >/dev/null 2>&1; done
	hive run --until-idle --timeout 10s >/dev/null 2>&1
	hive proposal approve --trace full --task _review >/dev/null 2>&1 && break
done
for name in one two; do
	git show "main:hive-torture/full-$name.md" >/dev/null 2>&1 || echo "LOST the work of $name"
done
git fsck --connectivity-only --no-dangling >"$1/fsck" 2>&1 || echo "LOST objects: $(head -n 1 "$1/fsck")"
hive bus verify --json >/dev/null 2>&1 || echo "LOST the log is not whole"
echo DONE
`;

const plan = {
	tasks: [
		{taskId: 'one.1.plain', title: 'One'},
		{taskId: 'two.1.commit', title: 'Two', dependsOn: ['one.1.plain']},
	],
};

/** Plays until `limitMs` at most. Left out where no user namespace or tmpfs is allowed. */
export const playFullDisk = async (
	{folder}: Pick<Scratch, 'folder'>,
	{program, searchPath}: Pick<ScratchOptions, 'program' | 'searchPath'>,
	limitMs: number,
	signal: AbortSignal,
): Promise<Played> => {
	const leftOut = (reason: string): Played => ({fullDisk: {played: false, reason}, lost: []});
	if (process.platform !== 'linux') return leftOut('there are no user namespaces here');
	const [disk, files, planFile] = ['disk', 'disk-files', 'disk-plan'].map(name => join(folder, name));
	if (disk === undefined || files === undefined || planFile === undefined) return leftOut('no folder');
	await mkdir(disk);
	for (const [path, text] of Object.entries(colonyFiles)) {
		await mkdir(join(files, path, '..'), {recursive: true});
		await writeFile(join(files, path), text);
	}
	await writeFile(planFile, JSON.stringify(plan));
	const namespaces = ['--user', '--map-root-user', '--mount'];
	const child = spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', disk, files, planFile], {
		env: {
			...{PATH: searchPath, HOME: join(folder, 'home'), LC_ALL: 'C'},
			...{GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'},
			...{NODE: process.execPath, PROGRAM: program},
		},
		stdio: ['ignore', 'pipe', 'ignore'],
		detached: true,
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	const stop = () => killGroup(child);
	const timer = setTimeout(stop, Math.max(1, limitMs));
	signal.addEventListener('abort', stop);
	const exitCode = await new Promise<number | null>(resolve => {
		child.on('error', () => resolve(noFileSystem));
		child.on('close', resolve);
	});
	clearTimeout(timer);
	signal.removeEventListener('abort', stop);
	const lost = output.split('\n').flatMap(line => {
		const [, what] = /^LOST (.*)$/.exec(line) ?? [];
		return what === undefined ? [] : [`On the full disk: ${what}.`];
	});
	if (/^DONE$/m.test(output) || lost.length > 0) return {fullDisk: {played: true}, lost};
	if (exitCode === null) return leftOut('the time was too short for it');
	return leftOut('no file system of its own can be made here');
};
