import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	type ColonyOnDisk,
	createColony,
	publishesIsolated,
	type ScriptedBee,
} from '../helpers/colony-on-disk.ts';

/**
 * A program with one function, whose name is in `name`, and its callers in `uses/`. The check fails if a
 * caller has another name.
 */
const files = {
	name: 'greet\n',
	'uses/first': 'greet\n',
	'check.sh': 'for f in uses/*; do cmp -s name "$f" || { echo "$f calls an unknown name"; exit 3; }; done\n',
};

/** The task's name decides what it changes. */
const builder: ScriptedBee = {
	worktree: true,
	publishes: publishesIsolated,
	script: `
case $HIVE_TASK_ID in
rename) for f in name uses/*; do echo welcome >"$f"; done ;;
call) echo greet >uses/second ;;
*) echo "$HIVE_TASK_ID" >"$HIVE_TASK_ID.txt" ;;
esac
echo "Did $HIVE_TASK_ID"`,
};

const verify = {commands: [['sh', 'check.sh']], required: true};

const createQueue = async (settings: object = {}): Promise<ColonyOnDisk> =>
	createColony({bees: {builder}, settings: {verify, ...settings}, files});

/** Adds a trace with one task, which gives the trace its name. */
const addTrace = (colony: ColonyOnDisk, taskId: string) =>
	colony.ask([
		'task',
		'create',
		'--trace',
		taskId,
		'--task',
		taskId,
		'--autorun',
		'--title',
		taskId,
		'--body',
		'x',
	]);

const work = async (colony: ColonyOnDisk): Promise<void> => {
	await colony.hive(['run', '--until-idle']);
};

const approve = (traceId: string, ...more: readonly string[]) => [
	...['proposal', 'approve', '--trace', traceId, '--task', '_review'],
	...more,
];

const kindsOf = async (colony: ColonyOnDisk, traceId: string): Promise<readonly unknown[]> => {
	const events = await colony.replay(traceId);
	return events.map(({payload}) => payload.kind).filter(kind => /landing|merge/.test(kind));
};

/** Exit code of the check in the checkout. */
const check = ({root}: ColonyOnDisk): number | null => spawnSync('sh', ['check.sh'], {cwd: root}).status;

describe('where verify is required', () => {
	test('an approval lands at once if its tree has passed already', async () => {
		const colony = await createQueue();
		await addTrace(colony, 'one');
		await work(colony);
		const {stdout, exitCode} = await colony.hive(approve('one'));
		expect(stdout).toContain('Merged into main: ');
		expect(exitCode).toBe(0);
		expect(await kindsOf(colony, 'one')).toEqual(['landing.requested', 'landing.checked', 'merge.started']);
	});

	test('two changes that pass alone and fail together do not both land', async () => {
		const colony = await createQueue();
		await addTrace(colony, 'rename');
		await addTrace(colony, 'call');
		await work(colony);
		expect((await colony.hive(approve('rename'))).exitCode).toBe(0);
		const {stderr, exitCode} = await colony.hive(approve('call'));
		expect(stderr).toContain('The checks failed on the merge with main: sh check.sh (exit 3)');
		expect(exitCode).toBe(8);
		expect(check(colony)).toBe(0);
		expect(existsSync(join(colony.root, 'uses/second'))).toBe(false);
		expect(await kindsOf(colony, 'call')).toEqual(['landing.requested', 'landing.checked', 'landing.left']);
		expect(readdirSync(join(colony.root, '.hive/worktrees'))).toEqual(['call']);
	});

	test('changes that pass together land one after the other', async () => {
		const colony = await createQueue();
		for (const name of ['one', 'two', 'three']) await addTrace(colony, name);
		await work(colony);
		for (const name of ['one', 'two', 'three']) expect((await colony.hive(approve(name))).exitCode).toBe(0);
		expect(['one', 'two', 'three'].every(name => existsSync(join(colony.root, `${name}.txt`)))).toBe(true);
	});
});
