import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import type {LandingStrategy} from '../../source/domain/landing.ts';
import {createRandom, type Random} from '../simulator/random.ts';
import {createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** Each scene has this many traces; half of them break the base together with the one before. */
const traceCount = 10;

/**
 * The check fails if two files have the same name before the dash, as two changes that clash give them. It
 * takes a while, so that most kills meet it.
 */
const script = 'sleep 0.3\n[ "$(ls items | cut -d- -f1 | sort | uniq -d)" = "" ]\n';

const bees = {
	builder: {
		worktree: true,
		publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
		// The tasks 2 and 3 both add an item of the name 1, and so on.
		script:
			'mkdir -p items; echo x >"items/$((HIVE_TASK_ID / 2))-$HIVE_TASK_ID"; echo "made by $HIVE_AGENT_ID"',
	},
};

/** Approves changes that clash in pairs, and kills the reactor again and again while they land. */
export const playLandings = async (
	command: string,
	seed: number,
	kills: number,
	strategy: LandingStrategy = 'merge',
): Promise<Shown> => {
	const random = createRandom(seed);
	const verify = {commands: [['sh', 'check.sh']], required: true, parallel: 3};
	const settings = {
		defaults: {default_bee: 'builder', keep: '1ms', max_parallel_runs: 4},
		verify,
		land: {strategy},
	};
	const colony = await createScratchColony({
		...{command, bees, settings},
		files: {'check.sh': script, 'items/none': ''},
	});
	return showScene(colony, seed, async () => {
		const names = Array.from({length: traceCount}, (_, index) => String(index + 2));
		for (const name of names)
			await colony.ask(['task', 'create', '--trace', name, '--task', name, '--autorun', '--body', 'x']);
		await colony.hive(untilIdle);
		let killed = 0;
		for (const name of names) {
			if (killed < kills) killed += await killDuring(colony, random, approvalOf(name));
			else await colony.hive(approvalOf(name));
		}
		while (killed < kills) killed += await killDuring(colony, random, untilIdle);
		// An approval that died before it was in the log is given again.
		for (const name of names) await colony.hive(approvalOf(name));
		await colony.hive(untilIdle);
		const found = await findWrong(colony);
		return {figures: {...found.figures, kills: killed}, breaches: found.breaches};
	});
};

const approvalOf = (name: string) => ['proposal', 'approve', '--trace', name, '--task', '_review'];

/** Runs the command with a reactor beside it, and kills one of them, or both. Returns the number of kills. */
const killDuring = async (
	colony: ScratchColony,
	random: Random,
	args: readonly string[],
): Promise<number> => {
	const children = [colony.start(['run']), colony.start(args)];
	const over = Promise.all(children.map(child => once(child, 'exit')));
	for (const child of children) {
		child.stdout?.resume();
		child.stderr?.resume();
	}
	await pass(random.between(300, 1500));
	const first = random.chance(0.5);
	for (const child of first ? children : children.toReversed()) child.kill('SIGKILL');
	await over;
	return 1;
};

type Status = {readonly landing: readonly unknown[]};

const findWrong = async (colony: ScratchColony) => {
	const {root} = colony;
	const merges = (
		await colony.git([
			'log',
			'--first-parent',
			'--format=%H %(trailers:key=Hive-Trace,valueonly,separator=%x20)',
			'main',
		])
	).trim();
	const commits = merges.split('\n').flatMap(line => {
		const [commit = '', trace = ''] = line.split(' ');
		return trace === '' ? [] : [[commit, trace] as const];
	});
	const broken = commits.filter(([commit]) => !isSound(root, commit));
	const twice = new Set(commits.map(([, trace]) => trace)).size < commits.length;
	const {landing} = await colony.ask<Status>(['status']);
	const checks = readdirSync(join(root, '.hive/worktrees')).filter(name => name.startsWith('_verify-'));
	return {
		figures: {landed: commits.length, unchecked: broken.length, twice: Number(twice), stuck: landing.length},
		breaches: [
			...broken.map(([commit]) => `the merge ${commit} does not pass the checks`),
			...(twice ? ['a trace was merged twice'] : []),
			...(landing.length === 0 ? [] : [`${landing.length} landings are stuck`]),
			...checks.map(name => `the worktree ${name} is left`),
			...(commits.length === traceCount / 2 ? [] : [`${commits.length} of ${traceCount / 2} landed`]),
		],
	};
};

/** True if the check passes in the files of the commit. */
const isSound = (root: string, commit: string): boolean => {
	const folder = mkdtempSync(join(tmpdir(), 'hive-landed-'));
	try {
		execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, folder], {cwd: root});
		execFileSync('sh', ['check.sh'], {cwd: folder, stdio: 'ignore'});
		return true;
	} catch {
		return false;
	} finally {
		rmSync(folder, {recursive: true});
	}
};
