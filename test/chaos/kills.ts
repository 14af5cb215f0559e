import {readFileSync} from 'node:fs';
import {appendFile, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {createRandom, type Random} from '../simulator/random.ts';
import {chooseDeath, type Reactor, startReactor} from './deaths.ts';
import {findBreaches} from './kill-checks.ts';
import {processesHolding} from './machine.ts';
import {interrupt, noOutage, persist} from './outages.ts';
import {readRootState} from './root-state.ts';
import {createScratchColony, type ScratchColony, untilIdle} from './scratch-colony.ts';
import {type Shown, showScene} from './tally.ts';

/** The task name `<task>.<milliseconds>.<how>` decides what its agent does. */
const manners = ['plain', 'plain', 'emit', 'defer', 'commit', 'fail', 'leave', 'stubborn'] as const;

const bees = {
	builder: {
		worktree: true,
		publishes: [
			{type: 'MUTATION', kind: 'code.proposal.isolated'},
			{type: 'INSIGHT', kind: 'context.note'},
		],
		script: `
IFS=. read -r name pause how <<END
$HIVE_TASK_ID
END
[ "$how" != stubborn ] || trap '' TERM
sleep "$(printf '0.%03d' "$pause")"
echo "made by $HIVE_AGENT_ID" >>"$name.txt"
case $how in
emit) echo '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"said by an agent"}}' |
	hive event emit --stdin >>"$HOME/answers" ;;
defer) for n in 1 2; do echo '{"type":"INSIGHT","payload":{"kind":"context.note","summary":"said later"}}' |
	hive event emit --stdin --defer >/dev/null; done ;;
commit) git add -A && git commit -qm "$HIVE_TASK_ID" ;;
fail) [ -e "$HOME/$HIVE_TRACE_ID.$name" ] || { : >"$HOME/$HIVE_TRACE_ID.$name"; exit 3; } ;;
leave) (trap '' TERM; setsid sleep 300) >/dev/null 2>&1 & ;;
esac
echo "Did $name"`,
	},
	guard: {
		subscribes: [{type: 'MUTATION', kind: 'code.proposal.isolated', dispatch: 'direct'}],
		worktree: true,
		publishes: [{type: 'INSIGHT', kind: 'run.summary'}],
		script: 'sleep 0.05; echo "Looked at it"',
	},
};

/**
 * Kills the reactor of a colony at random moments, and sometimes a supervisor or the server. The colony must
 * then come to rest.
 */
export const playKills = async (command: string, seed: number, kills: number): Promise<Shown> => {
	const random = createRandom(seed);
	const settings = {defaults: {energy_budget: 200, default_bee: 'builder'}};
	const colony = await createScratchColony({command, bees, settings});
	return showScene(colony, seed, async () => {
		const before = await readRootState(colony);
		const traces: string[] = [];
		await addTrace(colony, random, traces);
		const killed = await killOften(colony, random, {traces, kills});
		const unrest = await comeToRest(colony, traces);
		const {breaches, figures} = await findBreaches(colony, traces);
		if (!isDeepStrictEqual(await readRootState(colony), before)) breaches.push('the root has changed');
		return {
			figures: {...killed.figures, ...figures},
			times: killed.times,
			breaches: [...unrest, ...breaches],
		};
	});
};

type Play = {readonly traces: string[]; readonly kills: number};

const noFigures = {kills: 0, moment: 0, point: 0, call: 0, disk: 0, rivals: 0, pauses: 0, supervisors: 0};
const ofServer = Object.keys(noOutage) as (keyof typeof noOutage)[];

/**
 * Starts reactors until that many were killed. Times are from a kill to the first output of the next reactor.
 */
const killOften = async (colony: ScratchColony, random: Random, {traces, kills}: Play) => {
	const figures = {...noFigures, ...noOutage};
	const times: number[] = [];
	let killedAt: number | undefined;
	while (figures.kills < kills) {
		const {way, how, patience} = chooseDeath(random);
		const reactor = startReactor(colony, how);
		const rival = random.chance(0.2) ? startReactor(colony) : undefined;
		const meddling = meddle(colony, random, traces);
		const pausing = pauseOne(random, [reactor, rival]);
		const outage = interrupt(colony.server, random);
		const ended = await Promise.race([reactor.ended, pass(patience)]);
		if (ended === undefined && random.chance(0.5)) figures.supervisors += killSupervisor(colony, random);
		figures.pauses += await pausing;
		if (ended === undefined) await reactor.kill(random.chance(0.25));
		const isKilled = ended?.killed ?? true;
		if (isKilled) {
			figures.kills++;
			figures[way]++;
		}
		const spoke = reactor.firstWord();
		if (killedAt !== undefined && spoke !== undefined) times.push(spoke - killedAt);
		if (spoke !== undefined || !isKilled) killedAt = undefined;
		if (isKilled) killedAt = performance.now();
		if (rival !== undefined) figures.rivals += await outlive(random, rival);
		await meddling;
		for (const name of ofServer) figures[name] += (await outage)[name];
		if (!isKilled) await addTrace(colony, random, traces);
	}
	const {moment, point, call, disk, ...others} = figures;
	return {times, figures: {...others, 'at a point': point, 'in a call': call, 'on a failing disk': disk}};
};

/** Starts a rival that waits for the lock and takes over for a moment. Returns 1 if it was killed. */
const outlive = async (random: Random, rival: Reactor): Promise<number> => {
	const ended = await Promise.race([rival.ended, pass(random.between(0, 900))]);
	if (ended === undefined) await rival.kill(false);
	return Number(ended === undefined);
};

/** Suspends one of the reactors at any point and resumes it. Returns 1 if it did so. */
const pauseOne = async (random: Random, reactors: readonly (Reactor | undefined)[]): Promise<number> => {
	const reactor = random.chance(0.25) ? random.pickAny(reactors) : undefined;
	if (reactor === undefined) return 0;
	await pass(random.between(100, 500));
	await reactor.pause(random.between(50, 600));
	return 1;
};

const addTrace = async (colony: ScratchColony, random: Random, traces: string[]): Promise<void> => {
	const traceId = `t${traces.length + 1}`;
	const tasks: {taskId: string; title: string; dependsOn: string[]}[] = [];
	for (let index = 0; index < random.between(3, 7); index++) {
		const taskId = `k${index}.${random.between(0, 900)}.${random.pick(manners)}`;
		const dependsOn = tasks.map(task => task.taskId).filter(() => random.chance(0.4));
		tasks.push({taskId, title: `Task ${index}`, dependsOn});
	}
	const plan = ['task', 'create', '--trace', traceId, '--plan', '-'];
	const {exitCode, stdout, stderr} = await persist(colony, plan, JSON.stringify({tasks}));
	if (exitCode !== 0) throw new Error(`${traceId} is not planned: ${exitCode} ${stdout}${stderr}`);
	traces.push(traceId);
};

/** Does what people do meanwhile: emits an event, requests more work, or kills a trace. */
const meddle = async (colony: ScratchColony, random: Random, traces: string[]): Promise<void> => {
	const what = random.below(8);
	const traceId = random.pickAny(traces) ?? '';
	await pass(random.below(600));
	if (what < 3) {
		const payload = {kind: 'context.note', summary: 'said by a person'};
		const event = JSON.stringify({traceId, type: 'INSIGHT', payload});
		await noteAnswer(colony, await colony.hive(['event', 'emit', '--stdin'], event));
	} else if (what === 3 || traces.length < 2) await addTrace(colony, random, traces);
	else if (what === 4) await colony.hive(['energy', 'add', '--trace', traceId, '--amount', '3']);
	else if (what === 5 && random.chance(0.3))
		await colony.hive(['kill', '--trace', traceId], '', random.chance(0.5) ? {crashAt: 'trace.killed'} : {});
	else if (what > 5) await retryAny(colony, traceId);
};

const noteAnswer = async (
	colony: ScratchColony,
	{stdout}: Awaited<ReturnType<ScratchColony['hive']>>,
): Promise<void> => {
	await appendFile(join(colony.home, 'answers'), stdout);
};

type TaskList = {readonly tasks: readonly {readonly taskId: string; readonly status: string}[]};

const retryAny = async (colony: ScratchColony, traceId: string): Promise<void> => {
	const {stdout} = await persist(colony, ['task', 'list', '--trace', traceId]);
	const {tasks}: TaskList = JSON.parse(stdout);
	const stuck = tasks.find(({status}) => status === 'failed' || status === 'running');
	if (stuck !== undefined) await colony.hive(['task', 'retry', '--trace', traceId, '--task', stuck.taskId]);
};

/** Kills the supervisor of one live run, found by the run directory on its command line. */
const killSupervisor = (colony: ScratchColony, random: Random): number => {
	const alive = processesHolding(join(colony.root, '.hive', 'runs')).filter(isSupervisor);
	const pid = random.pickAny(alive);
	if (pid === undefined) return 0;
	try {
		process.kill(pid, 'SIGKILL');
		return 1;
	} catch {
		return 0;
	}
};

const isSupervisor = (pid: number): boolean => {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('hive-supervisor ');
	} catch {
		return false;
	}
};

/** Runs reactors until nothing is pending and no task has failed. An obstacle is a breach. */
const comeToRest = async (colony: ScratchColony, traces: readonly string[]): Promise<string[]> => {
	for (let round = 0; round < 6; round++) {
		await removeStaleLocks(colony);
		const {exitCode, stderr} = await colony.hive(untilIdle);
		// On a busy machine one call may be too short.
		if (exitCode === 124) continue;
		if (![0, 8, 9].includes(exitCode ?? -1))
			return [`hive run ended with ${exitCode}: ${stderr.slice(-400)}`];
		let failed = 0;
		for (const traceId of traces) {
			const {tasks} = await colony.ask<TaskList>(['task', 'list', '--trace', traceId]);
			for (const {taskId} of tasks.filter(({status}) => status === 'failed')) {
				const retried = await colony.hive(['task', 'retry', '--trace', traceId, '--task', taskId]);
				if (retried.exitCode === 0) failed++;
			}
		}
		if (failed === 0) return [];
	}
	return ['it does not come to rest, however often tasks are retried'];
};

/**
 * A killed git may leave the lock of its ref. Hive names the lock, and a person removes it. Only a git that
 * outlived its reactor may still be at work, and it may remove its own lock meanwhile.
 */
export const removeStaleLocks = async ({root}: ScratchColony): Promise<void> => {
	const refs = join(root, '.git/refs');
	for (const path of await readdir(refs, {recursive: true}))
		if (path.endsWith('.lock')) await rm(join(refs, path), {force: true});
};
