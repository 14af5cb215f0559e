import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {cp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import type {LandingStrategy} from '../../source/domain/landing.ts';
import {crashPoints} from '../../source/ports/crash-points.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {findLosses} from './merge-checks.ts';
import {createMergeScene, traceId} from './merge-scene.ts';
import {type RootState, readRootState} from './root-state.ts';
import {type Ended, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/**
 * Approves the gate of one repository again and again from the same state, and kills it at another point each
 * time.
 */
export const playMerges = async (
	command: string,
	seed: number,
	merges: number,
	strategy: LandingStrategy = 'merge',
): Promise<Shown> => {
	const random = createRandom(seed);
	const colony = await createMergeScene(command, random, strategy);
	return showScene(colony, seed, async () => {
		const figures = {...none};
		const breaches: string[] = [];
		const before = await readRootState(colony);
		await keepCopy(colony);
		for (let count = 0; count < merges && breaches.length === 0; count++) {
			if (count > 0) await restore(colony);
			const played = await mergeOnce(colony, random, before);
			for (const name of Object.keys(none) as (keyof typeof none)[]) figures[name] += played.figures[name];
			breaches.push(...played.breaches);
		}
		return {figures, breaches};
	});
};

const none = {
	merges: 0,
	faults: 0,
	merged: 0,
	unmerged: 0,
	'stale locks': 0,
	'lost bytes': 0,
	'stuck gates': 0,
};

const mergeOnce = async (colony: ScratchColony, random: Random, before: RootState) => {
	const fault = await approveAndKill(colony, random);
	const hadLock = await removeStaleLock(colony);
	const way = random.chance(0.5) ? 'a reactor' : 'an approve';
	const ended = await resume(colony, way);
	const state = await readRootState(colony);
	const losses = await findLosses(colony, before, state);
	const stuck = await stuckBecause(colony, before, state, ended);
	const isMerged = state.main !== before.main;
	const wrong = [...losses.map(({what}) => what), ...(stuck === '' ? [] : [stuck])];
	return {
		figures: {
			merges: 1,
			faults: Number(fault.killed),
			merged: Number(isMerged),
			unmerged: Number(!isMerged),
			'stale locks': Number(hadLock),
			'lost bytes': losses.reduce((sum, {bytes}) => sum + bytes, 0),
			'stuck gates': Number(stuck !== ''),
		},
		breaches: wrong.map(what => `killed at ${fault.at}, resumed by ${way}: ${what}`),
	};
};

const partsOf = ({root, home, server}: ScratchColony): readonly string[] => [
	...[root, home],
	...(server ? [server.store] : []),
];

const keepCopy = async (colony: ScratchColony): Promise<void> => {
	await colony.server?.stop();
	for (const part of partsOf(colony)) await copy(part, `${part}.kept`);
	await colony.server?.start();
};

const restore = async (colony: ScratchColony): Promise<void> => {
	await colony.server?.stop();
	for (const part of partsOf(colony)) {
		await rm(part, {recursive: true, force: true, maxRetries: 5});
		await copy(`${part}.kept`, part);
	}
	await colony.server?.start();
};

const copy = (from: string, to: string): Promise<void> =>
	cp(from, to, {
		recursive: true,
		preserveTimestamps: true,
		verbatimSymlinks: true,
		filter: path => !path.endsWith('.sock'),
	});

const mergePoints = crashPoints.filter(point => point.startsWith('merge.'));

const approval = ['proposal', 'approve', '--trace', traceId, '--task', '_review'];

/** Kills mostly at a failpoint, and otherwise at any moment, with or without the running git. */
const approveAndKill = async (colony: ScratchColony, random: Random) => {
	if (random.chance(0.3)) {
		const child = colony.start(approval);
		child.stdout?.resume();
		child.stderr?.resume();
		const over = once(child, 'exit');
		const pause = random.between(100, 700);
		const ended = await Promise.race([over, pass(pause)]);
		const together = random.chance(0.5);
		if (ended === undefined && child.pid !== undefined)
			process.kill(together ? -child.pid : child.pid, 'SIGKILL');
		await over;
		return {killed: ended === undefined, at: `${pause} ms${together ? ' with git' : ''}`};
	}
	const point = random.pickAny(mergePoints) ?? 'merge.claimed';
	const at = point === 'merge.fileMoved' ? `${point}:${random.between(1, 8)}` : point;
	const {exitCode} = await colony.hive(approval, '', {crashAt: at});
	return {killed: exitCode === null, at};
};

/** Removes the lock of a killed git, which is left to a person. */
const removeStaleLock = async ({root}: ScratchColony): Promise<boolean> => {
	const lock = join(root, '.git/index.lock');
	if (!existsSync(lock)) return false;
	await pass(300);
	if (!existsSync(lock)) return false;
	await rm(lock);
	return true;
};

const resume = (colony: ScratchColony, way: 'a reactor' | 'an approve'): Promise<Ended> =>
	colony.hive(way === 'a reactor' ? untilIdle : [...approval, '--json']);

/** Returns why the gate can be neither merged nor approved again, or an empty text. */
const stuckBecause = async (
	colony: ScratchColony,
	before: RootState,
	state: RootState,
	ended: Ended,
): Promise<string> => {
	const journal = await colony.git(['for-each-ref', 'refs/hive/merge']);
	if (journal !== '') return `a journal stays: ${journal}; ${ended.stdout}${ended.stderr}`;
	const {tasks} = await colony.ask<{tasks: readonly {taskId: string; status: string}[]}>([
		'task',
		'list',
		'--trace',
		traceId,
	]);
	const gate = tasks.find(({taskId}) => taskId === '_review')?.status;
	const isMerged = state.main !== before.main;
	if (gate === (isMerged ? 'completed' : 'waiting_review')) return isMerged ? '' : refusedBecause(colony);
	return `the base is ${isMerged ? '' : 'not '}merged and the gate ${gate}: ${ended.stdout}${ended.stderr}`;
};

/** Returns an empty text if a waiting gate can be approved, or names the user's files that prevent it. */
const refusedBecause = async (colony: ScratchColony): Promise<string> => {
	const {exitCode, stdout, stderr} = await colony.hive([...approval, '--json']);
	if (exitCode === 0) return '';
	const isAnswer = ['merge_refused', 'merge_conflict', 'would_overwrite'].some(code =>
		stdout.includes(`"${code}"`),
	);
	return isAnswer ? '' : `the gate cannot be approved: ${exitCode} ${stdout}${stderr}`;
};
