import {once} from 'node:events';
import {setTimeout as pass} from 'node:timers/promises';
import type {PullRequest} from '../../source/domain/pull-request.ts';
import type {Trace} from '../../source/domain/trace.ts';
import type {CrashPoint} from '../../source/ports/crash-points.ts';
import {commandLineOf, processesHolding} from '../chaos/machine.ts';
import type {Random} from '../simulator/random.ts';
import type {ForgeScene} from './scene.ts';

/** What hive does at a forge, in its order. */
export const steps = ['commit', 'push', 'open', 'update', 'record', 'answer', 'end'] as const;
export type Step = (typeof steps)[number];

/** The failpoints after a step, and the call that is the step. */
const waysOf: Readonly<Record<Step, {readonly points: readonly CrashPoint[]; readonly call?: RegExp}>> = {
	commit: {points: ['merge.committed', 'merge.recorded']},
	push: {points: ['forge.pushed'], call: /POST .*git-receive-pack$/},
	open: {points: ['forge.opened'], call: /POST .*\/(pulls|merge_requests)$/},
	update: {points: ['forge.opened'], call: /(PATCH|PUT) .*\/(pulls|merge_requests)\/\d+$/},
	record: {points: ['forge.recorded']},
	answer: {points: ['forge.answered'], call: /POST .*\/(comments|replies|notes)$/},
	end: {points: ['forge.merged', 'merge.cleared'], call: /POST .*git-upload-pack$/},
};

/** How a command is killed: at a failpoint, as the forge gets a call, or at any moment. */
export type Death =
	| {readonly way: 'point'; readonly step: Step; readonly point: CrashPoint}
	| {readonly way: 'call'; readonly step: Step; readonly call: RegExp; readonly cut: 'before' | 'after'}
	| {readonly way: 'moment'; readonly afterMs: number};

/** The steps that are due for a trace. */
export const dueSteps = (
	{pullRequest: request, tasks}: Trace,
	{isDue, isEndedThere}: {readonly isDue: boolean; readonly isEndedThere: boolean},
): readonly Step[] => {
	if (isEndedThere) return ['end'];
	if (request?.state === 'merged' && tasks.get(request.taskId)?.status !== 'completed') return ['end'];
	if (isDue || request?.state === 'requested')
		return request?.number === undefined
			? ['commit', 'push', 'open', 'record']
			: ['commit', 'push', 'update', 'record', 'answer'];
	return request !== undefined && hasUnanswered(request) ? ['answer'] : [];
};

const hasUnanswered = ({state, comments}: PullRequest): boolean =>
	state === 'open' && comments.some(({isReworked, isAnswered}) => isReworked && !isAnswered);

type Chances = {
	/** True if a death at a failpoint of the step shows. */
	readonly isShown: (step: Step) => boolean;
	/** Deaths at the step so far: rare ones come first. */
	readonly deathsAt: (step: Step) => number;
};

export const chooseDeath = (random: Random, due: readonly Step[], {isShown, deathsAt}: Chances): Death => {
	const moment: Death = {way: 'moment', afterMs: random.between(50, 1500)};
	const rarest = due.toSorted((one, other) => deathsAt(one) - deathsAt(other))[0];
	const step = random.chance(0.7) ? rarest : random.pickAny(due);
	if (step === undefined || random.chance(0.2)) return moment;
	const {points, call} = waysOf[step];
	if (call !== undefined && (!isShown(step) || random.chance(0.5)))
		return {way: 'call', step, call, cut: random.pick(['before', 'after'] as const)};
	const point = random.pickAny(points);
	return isShown(step) && point !== undefined ? {way: 'point', step, point} : moment;
};

/** Who dies: the watcher, the command that was typed, or both with the git that they started. */
const victims = ['watcher', 'command', 'all'] as const;

/** Milliseconds after which a command that did not die by then is killed. */
const maxWaitMs = 20_000;

/** Runs a command until its death or its end. Returns true if something was killed. */
export const dieDuring = async (
	{colony, server}: ForgeScene,
	random: Random,
	args: readonly string[],
	death: Death,
): Promise<boolean> => {
	const victim = random.pick(victims);
	let killed = 0;
	const child = colony.start(args, death.way === 'point' ? {crashAt: death.point} : {});
	child.stdin?.on('error', () => {});
	child.stdout?.resume();
	child.stderr?.resume();
	const over = once(child, 'exit').then(([, signal]) => signal === 'SIGKILL');
	const kill = (pid: number): void => {
		try {
			process.kill(pid, 'SIGKILL');
			killed += 1;
		} catch {
			// It has ended.
		}
	};
	const strike = (): void => {
		const isOpen = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
		const watchers = victim === 'command' ? [] : processesHolding(colony.folder).filter(isWatcher);
		for (const pid of watchers) kill(victim === 'all' ? -pid : pid);
		if (isOpen && child.pid !== undefined && (victim !== 'watcher' || watchers.length === 0))
			kill(victim === 'all' ? -child.pid : child.pid);
	};
	const forget =
		death.way === 'call'
			? server.fail({match: death.call, cut: death.cut, onStrike: strike})
			: (): void => {};
	if (death.way === 'moment') {
		await Promise.race([over, pass(death.afterMs)]);
		strike();
	}
	const timer = new AbortController();
	const isKilled = await Promise.race([over, pass(maxWaitMs, undefined, {signal: timer.signal})]);
	timer.abort();
	forget();
	if (isKilled === undefined) {
		strike();
		if (child.exitCode === null && child.pid !== undefined) kill(child.pid);
		await over;
	}
	return killed > 0 || isKilled === true;
};

const isWatcher = (pid: number): boolean => {
	const line = commandLineOf(String(pid));
	const at = line.indexOf('forge');
	return at > 0 && line[at + 1] === 'watch';
};
