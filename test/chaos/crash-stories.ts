import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {CrashPoint} from '../../source/ports/crash-points.ts';
import {findLosses} from './merge-checks.ts';
import {readRootState} from './root-state.ts';
import {createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';

/**
 * Reaches the failpoint in a trace that is named after it, dies there, and recovers. Returns the breaches.
 */
type Play = (point: CrashPoint) => Promise<readonly string[]>;

/** Creates a colony, and returns the function that reaches its failpoints one after the other. */
type Story = (
	command: string,
	points: readonly CrashPoint[],
) => Promise<{
	readonly colony: ScratchColony;
	readonly play: Play;
}>;

const note = (words: string) =>
	`echo '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"${words}"}}' | hive event emit --stdin`;

/** The name of a task decides what its agent does. */
const bees = {
	builder: {
		worktree: true,
		publishes: [
			{type: 'MUTATION', kind: 'code.proposal.isolated'},
			{type: 'INSIGHT', kind: 'context.note'},
		],
		script: `
case $HIVE_TASK_ID in
emit) ${note('said at once')} >>"$HOME/answers" ;;
defer) ${note('said later')} --defer >/dev/null; ${note('said last')} --defer >/dev/null ;;
wait) sleep 60 ;;
line-*) sed -i "s/^line \${HIVE_TASK_ID#line-}$/theirs/" text.txt ;;
esac
echo "made by $HIVE_AGENT_ID" >"$HIVE_TRACE_ID.txt"
[ "$HIVE_TASK_ID" != commit ] || { git add -A && git commit -qm "$HIVE_TRACE_ID"; }
echo "Did $HIVE_TASK_ID"`,
	},
};

const settings = {defaults: {default_bee: 'builder', keep: '1ms', max_parallel_runs: 4}};

const lineCount = 200;
const lines = Array.from({length: lineCount}, (_, index) => `line ${index}\n`);

const createColony = (command: string) =>
	createScratchColony({command, bees, settings, files: {'text.txt': lines.join('')}});

const addTask = (colony: ScratchColony, traceId: string, taskId: string) =>
	colony.ask(['task', 'create', '--trace', traceId, '--task', taskId, '--autorun', '--body', 'x']);

/** Runs a command that must die at the failpoint. */
const die = async (
	colony: ScratchColony,
	args: readonly string[],
	point: CrashPoint,
): Promise<readonly string[]> => {
	const {exitCode, stdout, stderr} = await colony.hive(args, '', {crashAt: point});
	return exitCode === null
		? []
		: [`${point} is not reached by hive ${args.join(' ')}: ${exitCode} ${stdout}${stderr}`];
};

const succeed = async (colony: ScratchColony, args: readonly string[], at: CrashPoint) => {
	const {exitCode, stdout, stderr} = await colony.hive(args);
	const isWell = [0, ...(args === untilIdle ? [8, 9] : [])].includes(exitCode ?? -1);
	return isWell ? [] : [`after ${at}, hive ${args.join(' ')} ends with ${exitCode}: ${stdout}${stderr}`];
};

/** A task is worked on from its claim to its end. */
const work: Story = async command => {
	const colony = await createColony(command);
	return {
		colony,
		play: async point => {
			const tasks: Partial<Record<string, string>> = {emit: 'emit', deferred: 'defer'};
			await addTask(colony, point, tasks[point.split('.')[0] ?? ''] ?? 'plain');
			return [...(await die(colony, untilIdle, point)), ...(await succeed(colony, untilIdle, point))];
		},
	};
};

/** A person kills a trace while its agent works, with no reactor, or with one that starts later. */
const stop: Story = async command => {
	const colony = await createColony(command);
	const begin = async (traceId: string, point: CrashPoint) => {
		await addTask(colony, traceId, 'wait');
		return [...(await die(colony, untilIdle, 'run.launched')), ...(await killed(traceId, point))];
	};
	const killed = async (traceId: string, point: CrashPoint) =>
		die(colony, ['kill', '--trace', traceId], point);
	return {
		colony,
		play: async point => [
			...(await begin(point, point)),
			...(await succeed(colony, untilIdle, point)),
			...(point === 'trace.killed' ? [] : await begin(`${point}.later`, 'trace.killed')),
			...(point === 'trace.killed' ? [] : await die(colony, untilIdle, point)),
			...(await succeed(colony, untilIdle, point)),
		],
	};
};

/**
 * Creates traces that wait at their gates. Each changes its own line of a file in which the user has another
 * unsaved change.
 */
const createGates = async (command: string, points: readonly CrashPoint[]) => {
	const colony = await createColony(command);
	for (const [index, point] of points.entries()) await addTask(colony, point, `line-${10 * (index + 1)}`);
	const breaches = await succeed(colony, untilIdle, points[0] ?? 'merge.planned');
	if (breaches.length > 0) throw new Error(breaches.join('\n'));
	await colony.write('text.txt', lines.with(0, 'mine\n').join(''));
	await colony.write('untracked.txt', 'mine\n');
	return colony;
};

/** A gate is approved. Alternately, a reactor or a second approval finishes the merge. */
const merge: Story = async (command, points) => {
	const colony = await createGates(command, points);
	let before = await readRootState(colony);
	return {
		colony,
		play: async point => {
			const approve = ['proposal', 'approve', '--trace', point, '--task', '_review'];
			const died = await die(colony, approve, point);
			const isAgain = point === 'merge.planned' || points.indexOf(point) % 2 === 0;
			const ended = await succeed(colony, isAgain ? approve : untilIdle, point);
			const after = await readRootState(colony);
			const losses = await findLosses(colony, before, after);
			const isMerged = after.main !== before.main;
			before = after;
			return [
				...died,
				...ended,
				...losses.map(({what}) => `${point}: ${what}`),
				...(isMerged ? [] : [`${point}: it is not merged`]),
				...((await colony.git(['for-each-ref', 'refs/hive/merge'])) === ''
					? []
					: [`${point}: a journal stays`]),
			];
		},
	};
};

/**
 * A merge that has to pass its checks is approved. Alternately, a reactor or a second approval lands it. Each
 * has its own file, so that the checks run on every merge.
 */
const landing: Story = async (command, points) => {
	const colony = await createScratchColony({
		...{command, bees, files: {'check.sh': 'exit 0\n'}},
		settings: {...settings, verify: {commands: [['sh', 'check.sh']], required: true}},
	});
	for (const point of points) await addTask(colony, point, 'plain');
	const begun = await succeed(colony, untilIdle, points[0] ?? 'landing.requested');
	if (begun.length > 0) throw new Error(begun.join('\n'));
	return {
		colony,
		play: async point => {
			const before = await readRootState(colony);
			const approve = ['proposal', 'approve', '--trace', point, '--task', '_review'];
			const died = await die(colony, approve, point);
			const ended = await succeed(colony, points.indexOf(point) % 2 === 0 ? untilIdle : approve, point);
			const isMerged = (await readRootState(colony)).main !== before.main;
			return [...died, ...ended, ...(isMerged ? [] : [`${point}: it is not merged`])];
		},
	};
};

/** The base is merged into a trace's worktree. Alternately, a second update or a reactor finishes it. */
const update: Story = async (command, points) => {
	const colony = await createGates(command, points);
	await colony.git(['commit', '--quiet', '--all', '--message', 'mine']);
	return {
		colony,
		play: async point => {
			const args = ['proposal', 'update', '--trace', point];
			const again = points.indexOf(point) % 2 === 0 ? args : untilIdle;
			const found = [...(await die(colony, args, point)), ...(await succeed(colony, again, point))];
			const isBehind = await colony.git(['rev-list', `hive/${point}..main`]);
			return [...found, ...(isBehind === '' ? [] : [`${point}: the base was not merged in`])];
		},
	};
};

/** The remains of a finished trace are restored or removed. A repeated command has the same result. */
const clearing =
	(
		argsFor: (point: CrashPoint, agentId: string) => readonly string[],
		leftBehind: (colony: ScratchColony, point: CrashPoint) => Promise<string>,
	): Story =>
	async command => {
		const colony = await createColony(command);
		return {
			colony,
			play: async point => {
				await addTask(colony, point, 'commit');
				const begun = await succeed(colony, untilIdle, point);
				await colony.ask(['kill', '--trace', point]);
				const [agentId = ''] = colony.noted('starts').at(-1)?.split(' ') ?? [];
				const args = argsFor(point, agentId);
				const found = [...(await die(colony, args, point)), ...(await succeed(colony, args, point))];
				const left = await leftBehind(colony, point);
				return [...begun, ...found, ...(left === '' ? [] : [`${point}: ${left}`])];
			},
		};
	};

const worktreeOf = async (colony: ScratchColony, traceId: string): Promise<string> =>
	existsSync(join(colony.root, '.hive/worktrees', traceId)) ? 'the worktree is there' : '';

const prune = clearing(
	() => ['prune'],
	async (colony, point) =>
		(await worktreeOf(colony, point)) || colony.git(['for-each-ref', `refs/hive/keep/${point}`]),
);

const purge = clearing(
	point => ['purge', '--trace', point, '--confirm', point, '--discard-unmerged'],
	async (colony, point) => {
		const refs = ['refs/heads/hive', 'refs/hive/*'].map(under => `${under}/${point}`);
		if (existsSync(join(colony.root, '.hive/runs', point))) return 'the run directory is there';
		return (await worktreeOf(colony, point)) || colony.git(['for-each-ref', ...refs]);
	},
);

const restore = clearing(
	(_, agentId) => ['restore', agentId],
	async (colony, point) => {
		const cache = join(colony.root, '.hive/cache/restored', point);
		const [run = ''] = existsSync(cache) ? readdirSync(cache) : [];
		return existsSync(join(cache, run, `${point}.txt`)) ? '' : 'the files are not back';
	},
);

export const stories = {work, stop, merge, landing, update, prune, purge, restore};
