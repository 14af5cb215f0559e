import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {builder} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const worktree = `.hive/worktrees/${traceId}`;
const own = '$(git rev-parse --git-dir)';
const common = '$(git rev-parse --git-common-dir)';

type Row = {
	/** What the bee does in its worktree after its work. */
	readonly script: string;
	/** True if the run can still read the work when it is collected, and so proposes it. */
	readonly isProposed?: boolean;
	/** True if git still opens the repository, so that files can be restored before the repair. */
	readonly isOpened?: boolean;
	/** True if only the root is damaged, so that runs in worktrees go on. */
	readonly isOfRoot?: boolean;
	readonly says: string;
	/** The repair command, if the hint has none. */
	readonly mend?: string;
};

const rows: Readonly<Record<string, Row>> = {
	'core.bare': {
		script: 'git config core.bare true',
		isProposed: true,
		isOpened: true,
		says: 'core.bare is set in',
	},
	'a format that git does not know': {
		script: 'git config core.repositoryformatversion 99',
		says: 'core.repositoryformatversion in',
	},
	'settings that cannot be read': {
		script: `echo [broken >>"${common}/config"`,
		says: 'Git cannot read the settings in',
		mend: 'sed -i /broken/d .git/config',
	},
	'a broken HEAD of the worktree': {
		script: `echo garbage >"${own}/HEAD"`,
		isOpened: true,
		says: `.git/worktrees/${traceId}/HEAD, which says what is checked out, is broken`,
	},
	'a broken HEAD of the root': {
		script: `echo garbage >"${common}/HEAD"`,
		says: '.git/HEAD, which says what is checked out, is broken',
	},
	'a broken index of the worktree': {
		script: `echo garbage >"${own}/index"`,
		isOpened: true,
		says: 'Git cannot read its index',
	},
	'a broken index of the root': {
		isProposed: true,
		isOfRoot: true,
		script: `echo garbage >"${common}/index"`,
		isOpened: true,
		says: 'Git cannot read its index',
	},
	'no branch': {
		script: `git update-ref -d refs/heads/hive/${traceId}`,
		isProposed: true,
		isOpened: true,
		says: `has lost its branch hive/${traceId}`,
	},
	'no .git file': {script: 'rm .git', isOpened: true, says: 'has lost its .git file'},
	'no record of the worktree': {
		script: `rm -r "${own}"`,
		isOpened: true,
		says: 'Git has lost its record of the worktree',
		mend: `mv ${worktree} aside`,
	},
};

const retry = (taskId: string) => ['task', 'retry', '--trace', traceId, '--task', taskId];

/** Expects every command to report the same damage and the same hint. */
const expectSaid = async (
	{ask}: Awaited<ReturnType<typeof createWaiting>>,
	commands: readonly (readonly string[])[],
	says: string,
): Promise<string> => {
	const hints = [];
	for (const command of commands) {
		const {error} = await ask<{error: {hint: string}}>(command, {exit: 4});
		expect(error).toMatchObject({code: 'repository_damaged', message: expect.stringContaining(says)});
		expect(error.hint).toContain('"hive restore" brings back what a run left.');
		hints.push(error.hint);
	}
	expect(new Set(hints).size).toBe(1);
	return hints[0] ?? '';
};

test.each(Object.keys(rows))(
	'a bee that leaves %s behind is reported with the repair, and none of its work is lost',
	async name => {
		const {script, isProposed = false, isOpened = false, isOfRoot = false, says, mend} = rows[name] as Row;
		const once = `[ -e "$HOME/once" ] || { touch "$HOME/once"; ${script}; }`;
		const bees = {builder: {...builder, script: `${builder.script}; ${once}`}};
		const colony = await createWaiting(undefined, {bees}, isProposed ? 8 : 9);
		const [agentId = ''] = (await colony.notes()).map(line => line.split(' ').at(-1) ?? '');
		const diff = ['proposal', 'diff', '--trace', traceId];
		const hint = await expectSaid(colony, [diff, ...(isProposed ? [colony.approve()] : [])], says);
		if (isOpened) {
			await colony.ask(['restore', agentId]);
			expect(await colony.read(`.hive/cache/restored/${traceId}/${agentId}/work.txt`)).toBe('made by work\n');
		} else {
			await expectSaid(colony, [['restore', agentId]], says);
		}
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'later', '--body', 'x']);
		await colony.run(isOfRoot ? 8 : 9);
		const failed = (await colony.tasks()).filter(({status}) => status === 'failed');
		for (const {summary} of failed) {
			expect(summary).toContain(says);
			expect(summary).not.toContain('fatal:');
		}
		const command = mend ?? hint.split('"')[1]?.replace('<branch>', 'main') ?? '';
		await promisify(execFile)('sh', ['-c', command], {cwd: colony.root});
		for (const {taskId = ''} of failed) await colony.ask(retry(taskId));
		await colony.run(8);
		await colony.ask(colony.approve());
		expect(await colony.read('work.txt')).toBe('made by work\n');
		expect(await colony.read('later.txt')).toBe('made by later\n');
	},
);

test.each([
	['a broken index', 'echo garbage >.git/index', 'rm .git/index; git reset --quiet'],
	['core.bare', 'git config core.bare true', 'git config core.bare false'],
])(
	'a run in a root that has %s fails and names the repair, instead of passing without a proposal',
	async (_, harm, mend) => {
		const publishes = [{type: 'MUTATION', kind: 'code.proposal.root'}];
		const bees = {builder: {...builder, worktree: false, publishes}};
		const colony = await createWaiting(undefined, {bees}, 0);
		const run = async (command: string) => promisify(execFile)('sh', ['-c', command], {cwd: colony.root});
		await run(harm);
		await colony.ask(['task', 'create', '--trace', traceId, '--task', 'later', '--body', 'x']);
		await colony.run(9);
		const later = (await colony.tasks()).find(({taskId}) => taskId === 'later');
		expect(later?.summary).toContain('try again. "hive restore" brings back what a run left.');
		await run(mend);
		await colony.ask(retry('later'));
		await colony.run(0);
	},
);
