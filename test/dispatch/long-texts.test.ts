import {access, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {unsavedIn} from '../../source/workspaces/worktree/unsaved.ts';
import {createRig, publishesIsolated, traceId} from './rig.ts';

/** Script that reads the file named in its prompt, prints the size, and commits everything git sees. */
const reading = `
	file=$(expr "$1" : '.*Read all of \\([^ ]*\\) ')
	case $file in "$PWD"/*) wc -c <"$file" ;; *) echo "$file is outside" ;; esac
	git status --porcelain --untracked-files=all
	echo made >made.txt
	git add --all
	git -c user.name=a -c user.email=a@b commit -qm made
	[ "$2" != fails ]
`;
const reader = (more: object = {}, ...args: string[]) => ({
	adapter: 'script',
	command: ['sh', '-c', reading, 'sh', '$PROMPT', ...args],
	prompt_template: 'long.md',
	...more,
});
const isolated = {worktree: true, publishes: publishesIsolated};
const long = 'word '.repeat(40_000);
const files = {'.hive/prompts/long.md': long};

const createReaders = (bee: object, more: Readonly<Record<string, string>> = {}, settings: object = {}) =>
	createRig({bees: {maker: bee}, files: {...files, ...more}, settings});

test.each([
	['ends well', 'ends', 'completed'],
	['fails', 'fails', 'failed'],
])(
	'an agent that %s reads its long prompt in its worktree, and the file never reaches git',
	async (_, how, status) => {
		const rig = await createReaders(reader(isolated, how));
		const {run, agentId} = await rig.run('maker');
		expect(run.status).toBe(status);
		expect(await rig.text(agentId, 'stdout.log')).toBe(`${long.length}\n`);
		expect(await rig.text(agentId, 'changes.diff')).not.toContain('hive-run');
		expect(await rig.repository.git(['ls-tree', '-r', '--name-only', `hive/${traceId}`])).not.toContain(
			'hive-run',
		);
		const worktree = join(rig.root, '.hive/worktrees', traceId);
		expect(await unsavedIn(rig.ports.git, worktree, {disposable: [], twin: rig.root})).toEqual([]);
		expect(await rig.repository.git(['status', '--porcelain'])).toBe('');
	},
);

test('an agent in a sector of the root reads its long prompt in that sector', async () => {
	const rig = await createReaders(
		reader({sector: 'web'}),
		{'web/a.txt': 'a\n'},
		{sectors: {web: {path: 'web'}}},
	);
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'stdout.log')).toBe(`${long.length}\n`);
	await expect(access(join(rig.root, `web/.hive-run-${agentId}-prompt.txt`))).rejects.toThrow();
});

test('an agent in the root reads its long prompt from the run directory', async () => {
	const rig = await createReaders(reader());
	const {agentId} = await rig.run('maker');
	expect(await rig.text(agentId, 'stdout.log')).toBe(`${long.length}\n`);
	expect(await rig.repository.read('.git/info/exclude').catch(() => '')).not.toContain('hive-run');
});

test('git is given the ignore rule once, after the existing entries of its exclude file', async () => {
	const rig = await createReaders(reader(isolated));
	await rig.repository.write('.git/info/exclude', 'mine');
	await rig.run('maker');
	await rig.run('maker', 'two');
	expect(await rig.repository.read('.git/info/exclude')).toBe('mine\n.hive-run-*\n');
});

test('a run does not begin where git would see the prompt file as a change, and reports why', async () => {
	const rig = await createReaders(reader(isolated), {'.gitignore': '!.*\n'});
	const agentId = await rig.begin('maker');
	const [, run] = await rig.runOf(agentId);
	expect(run).toMatchObject({status: 'failed', summary: expect.stringContaining('git does not ignore')});
	const worktree = join(rig.root, '.hive/worktrees', traceId);
	expect((await readdir(worktree)).filter(name => name.startsWith('.hive-run'))).toEqual([]);
});

test('an agent that cannot be started leaves no prompt file in its workspace', async () => {
	const launch = () => Promise.reject(new HiveError('internal', {message: 'no processes left'}));
	const rig = await createRig({
		bees: {maker: reader(isolated)},
		files,
		faulty: ({processes}) => ({processes: {...processes, launch}}),
	});
	const agentId = await rig.begin('maker');
	expect((await rig.runOf(agentId))[1]).toMatchObject({status: 'failed'});
	const worktree = join(rig.root, '.hive/worktrees', traceId);
	expect((await readdir(worktree)).filter(name => name.startsWith('.hive-run'))).toEqual([]);
});
