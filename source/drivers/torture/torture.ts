import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {type TortureReport, type TortureStop, tortureSpace} from '../../domain/torture.ts';
import {type Evidence, findDoubled, findLeft, findLost} from './checks.ts';
import {collectEvidence, readStatus} from './evidence.ts';
import {
	between,
	chance,
	cleanUp,
	deleteWorktree,
	holdIndexLock,
	holdRefLock,
	killSupervisor,
	noFaults,
	removeStaleLocks,
	type Tally,
} from './faults.ts';
import {playFullDisk} from './full-disk.ts';
import {createScratch, killGroup, type Scratch, type ScratchOptions} from './scratch.ts';
import {readFreeSpace} from './space.ts';

export type TortureOptions = Omit<ScratchOptions, 'copyLimitMs'> & {
	readonly minutes: number;
	readonly signal: AbortSignal;
};

/** Milliseconds after the wanted time in which the work comes to rest, and then is checked, at most. */
const restMs = 16_000;
const checkMs = 28_000;

/** A trace that torture made. */
type Played = {readonly traceId: string; readonly planned: readonly string[]; isMerged: boolean};

type Play = {
	readonly scratch: Scratch;
	readonly tally: Tally;
	readonly traces: Played[];
	/** Traces whose worktree was deleted as a person would: git's record of it stays. */
	readonly deleted: Set<string>;
	/** Milliseconds until all of it has to end. */
	readonly left: () => number;
	/** Milliseconds until no more fault is played. */
	readonly faultsLeft: () => number;
	/** How long it took at most until the open work had ended. */
	readonly pace: {slowestMs: number};
	readonly signal: AbortSignal;
};

/** Milliseconds before the wanted time in which no fault is played, so that a slow machine comes to rest. */
const reserveOf = (wanted: number, {slowestMs}: Play['pace']): number =>
	Math.max(Math.min(wanted * 0.3, 10_000), 2 * slowestMs - restMs / 2);

/**
 * Plays work and faults on a copy of the repository, lets it come to rest, and looks for what was lost,
 * doubled or left behind. Ends within 30 seconds after the wanted time.
 */
export const torture = async (options: TortureOptions): Promise<TortureReport> => {
	const began = performance.now();
	const wanted = options.minutes * 60_000;
	const elapsed = () => performance.now() - began;
	const scratch = await createScratch({...options, copyLimitMs: wanted + restMs});
	const {signal} = options;
	const end = () => scratch.end();
	const watchdog = setTimeout(end, wanted + checkMs - elapsed());
	signal.addEventListener('abort', end);
	// A second signal ends this process at once.
	const leave = () => {
		end();
		rmSync(scratch.folder, {recursive: true, force: true, maxRetries: 3});
	};
	process.on('exit', leave);
	try {
		const tally = noFaults();
		const traces: Played[] = [];
		const left = () => wanted + restMs - elapsed();
		const pace = {slowestMs: 0};
		const faultsLeft = () => wanted - reserveOf(wanted, pace) - elapsed();
		const play: Play = {scratch, tally, traces, deleted: new Set(), left, faultsLeft, pace, signal};
		const onDisk = playFullDisk(scratch, options, left(), signal);
		const {rounds, stopped} = await playRounds(play);
		const isAtRest = stopped === undefined && (await comeToRest(play));
		const disk = await onDisk;
		const checkLeft = () => wanted + checkMs - elapsed();
		// Of a torture that was stopped by a signal, nothing is checked.
		const evidence = signal.aborted ? undefined : await collectEvidence(play, {isAtRest, left: checkLeft});
		const found = {
			lost: [...(evidence?.isWhole ? findLost(evidence) : []), ...disk.lost],
			doubled: evidence?.isWhole ? findDoubled(evidence) : [],
			left: evidence?.isWhole ? findLeft(evidence) : [],
		};
		const isWrong = Object.values(found).some(list => list.length > 0);
		scratch.end();
		if (!isWrong) await scratch.remove();
		return {
			seconds: Math.round(elapsed() / 100) / 10,
			stopped: signal.aborted ? 'signal' : (stopped ?? (isAtRest && evidence?.isWhole ? undefined : 'time')),
			rounds,
			tasks: countTasks(traces, evidence),
			faults: tally,
			fullDisk: disk.fullDisk,
			checked: evidence?.isWhole === true,
			...found,
			...(isWrong && {folder: scratch.folder}),
		};
	} catch (error) {
		scratch.end();
		await scratch.remove();
		throw error;
	} finally {
		clearTimeout(watchdog);
		process.off('exit', leave);
		signal.removeEventListener('abort', end);
	}
};

const countTasks = (traces: readonly Played[], evidence: Evidence | undefined): TortureReport['tasks'] => ({
	planned: traces.flatMap(({planned}) => planned).length,
	completed: (evidence?.traces ?? [])
		.flatMap(({tasks, planned}) => tasks.filter(({taskId}) => planned.includes(taskId)))
		.filter(({status}) => status === 'completed').length,
	tracesMerged: traces.filter(({isMerged}) => isMerged).length,
});

const playRounds = async (play: Play): Promise<{rounds: number; stopped: TortureStop | undefined}> => {
	const {scratch, signal, faultsLeft} = play;
	let rounds = 0;
	do {
		if ((await readFreeSpace(scratch.folder)) < tortureSpace) return {rounds, stopped: 'space'};
		await playRound(play);
		rounds++;
		if (rounds % 3 !== 0) continue;
		const began = performance.now();
		await workOff(play, true);
		play.pace.slowestMs = Math.max(play.pace.slowestMs, performance.now() - began);
	} while (faultsLeft() > 0 && !signal.aborted);
	return {rounds, stopped: signal.aborted ? 'signal' : undefined};
};

const manners = ['plain', 'plain', 'plain', 'emit', 'commit'];

const addTrace = async ({scratch, traces, left}: Play): Promise<void> => {
	const traceId = `t${traces.length + 1}`;
	const tasks: {taskId: string; title: string; dependsOn: string[]}[] = [];
	for (let index = 0; index < between(2, 4); index++) {
		const taskId = `k${index}.${between(0, 700)}.${manners[randomInt(manners.length)]}`;
		const dependsOn = tasks.map(task => task.taskId).filter(() => chance(0.4));
		tasks.push({taskId, title: `Task ${index}`, dependsOn});
	}
	const plan = ['task', 'create', '--trace', traceId, '--plan', '-', '--json'];
	const {exitCode} = await scratch.hive(plan, left(), JSON.stringify({tasks}));
	if (exitCode === 0) traces.push({traceId, planned: tasks.map(({taskId}) => taskId), isMerged: false});
};

const openOf = ({traces}: Play): Played[] => traces.filter(({isMerged}) => !isMerged);

/** Most traces that wait for their end at a time, so that all come to rest soon. */
const mostOpen = 3;

/** Milliseconds that a reactor has on a slow machine to say its first word. */
const mostPatienceMs = 5000;

/** Runs a reactor for a moment, with faults beside it, and kills it. */
const playRound = async (play: Play): Promise<void> => {
	const {scratch, tally} = play;
	const isFirst = play.traces.length === 0;
	if (isFirst) await addTrace(play);
	const reactor = scratch.start(['run']);
	const over = once(reactor, 'exit');
	const meddling = Promise.all([
		meddle(play),
		chance(0.5) ? killSupervisor(scratch, tally, mostPatienceMs) : undefined,
		!isFirst && openOf(play).length < mostOpen ? addTrace(play) : undefined,
	]);
	const spoke = reactor.stdout === null ? over : once(reactor.stdout, 'data');
	if (chance(0.8)) await Promise.race([over, spoke, pass(mostPatienceMs)]);
	await Promise.race([over, pass(between(0, 1500))]);
	if (reactor.exitCode === null) {
		if (chance(0.3)) killGroup(reactor);
		else reactor.kill('SIGKILL');
		tally.reactorsKilled++;
		await over;
	}
	await meddling;
};

const meddle = async (play: Play): Promise<void> => {
	const {scratch, tally} = play;
	const open = openOf(play);
	await Promise.all([
		chance(0.5) ? cleanUp(scratch, tally, play.left()) : undefined,
		chance(0.4) ? holdIndexLock(scratch, tally) : undefined,
		chance(0.4) ? holdRefLock(scratch, tally, open[0]?.traceId) : undefined,
	]);
};

const gate = '_review';

/** Lets the open work end, retries what failed, and approves what waits, with faults beside it if wanted. */
const workOff = async (play: Play, withFaults: boolean): Promise<void> => {
	const {scratch, tally, left} = play;
	await removeStaleLocks(scratch);
	const limit = Math.min(left(), withFaults ? 8000 : 20_000);
	const seconds = `${Math.max(1, Math.floor(limit / 1000))}s`;
	await scratch.hive(['run', '--until-idle', '--timeout', seconds], limit + 2000);
	for (const {traceId, tasks} of await readStatus(play.scratch, play.left())) {
		const trace = openOf(play).find(one => one.traceId === traceId);
		if (trace === undefined) continue;
		for (const {taskId, status} of tasks)
			if (status === 'failed')
				await scratch.hive(['task', 'retry', '--trace', traceId, '--task', taskId], left());
		if (!tasks.some(({taskId, status}) => taskId === gate && status === 'waiting_review')) continue;
		if (withFaults && chance(0.5)) {
			await deleteWorktree(scratch, tally, traceId);
			play.deleted.add(traceId);
		}
		await approve(play, trace, withFaults);
	}
};

const approve = async (play: Play, trace: Played, withFaults: boolean): Promise<void> => {
	const {scratch, tally, left} = play;
	const approval = ['proposal', 'approve', '--trace', trace.traceId, '--task', gate];
	const meddling = withFaults ? meddle(play) : undefined;
	if (withFaults && chance(0.4)) {
		const child = scratch.start(approval);
		const over = once(child, 'exit');
		await Promise.race([over, pass(between(100, 1500))]);
		if (child.exitCode === null) {
			child.kill('SIGKILL');
			tally.approvalsKilled++;
			await over;
		} else trace.isMerged = child.exitCode === 0;
	} else trace.isMerged = (await scratch.hive(approval, left())).exitCode === 0;
	await meddling;
};

/** Works without faults until every trace is merged. At last one more trace goes through undisturbed. */
const comeToRest = async (play: Play): Promise<boolean> => {
	let isLastAdded = false;
	while (play.left() > 0 && !play.signal.aborted) {
		await noteMerged(play);
		if (openOf(play).length === 0) {
			if (isLastAdded) return true;
			await addTrace(play);
			isLastAdded = true;
		}
		await workOff(play, false);
	}
	return false;
};

/** An approval that was killed may have merged; the reactor then finishes it. */
const noteMerged = async (play: Play): Promise<void> => {
	const merged = (await readStatus(play.scratch, play.left())).filter(({tasks}) =>
		tasks.some(({taskId, status}) => taskId === gate && status === 'completed'),
	);
	for (const {traceId} of merged)
		for (const trace of openOf(play)) if (trace.traceId === traceId) trace.isMerged = true;
};
