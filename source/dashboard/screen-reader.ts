import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {formatCount} from '../domain/format-count.ts';
import {firstLineOf} from '../domain/invite.ts';
import {waitingPlan} from '../domain/plan-review.ts';
import {formatQuestions} from '../domain/run-questions.ts';
import {sanitizeProse} from '../domain/sanitize.ts';
import {statusWords} from '../domain/status-words.ts';
import type {Task} from '../domain/task.ts';
import {runWithoutTasks, type Trace, titleOf} from '../domain/trace.ts';
import {commandLineOf} from '../host/actions/command-line.ts';
import {actionTable} from '../host/actions/table.ts';
import type {ReactorState} from '../host/live/live.ts';
import {type Clashes, noClashes, somePaths} from '../host/views/clashes.ts';
import {formatShortSpending} from '../host/views/format-reserve.ts';
import {formatInboxCounts, type InboxFacts, inboxOf} from '../host/views/inbox.ts';
import {invitesOf} from '../host/views/invite.ts';
import {countMerged, mergeAdvice} from '../host/views/merge-advice.ts';
import {beeName, traceName} from '../host/views/name.ts';
import {formatPlanSize} from '../host/views/plan.ts';
import {formatRootGone} from '../host/views/root-gone.ts';
import {
	askingRuns,
	asksPerson,
	liveBees,
	openAgentRuns,
	quietNotes,
	runStatusLabel,
} from '../host/views/run.ts';
import {statusClause, taskStatusLabel} from '../host/views/task.ts';
import {isOver} from '../host/views/trace.ts';
import type {DashboardEnd} from './handle/context.ts';
import {shortId} from './parts/format.ts';
import type {Lesson} from './store/state.ts';
import {onProcessEnd} from './terminal/signals.ts';
import type {DashboardServices} from './world.ts';

type Traces = ReadonlyMap<string, Trace>;

/**
 * The dashboard for screen readers: the current state, then each change as a sentence. Nothing is redrawn,
 * and the commands of `hive` replace the keys.
 */
export const startScreenReader = (
	services: DashboardServices,
	write: (text: string) => void,
	signal: AbortSignal,
): Promise<Outcome<DashboardEnd>> =>
	new Promise(resolve => {
		const endController = new AbortController();
		let known: Traces = new Map();
		let isFirst = true;
		const print = (sentence: string): void => write(`${sanitizeProse(sentence)}\n`);
		print(`hive, colony ${services.header.slug}, branch ${services.header.branch}. Ctrl+C ends it.`);
		const finish = (exitCode: number): void => {
			endController.abort();
			resolve(
				accepted({exitCode: exitCode === exitCodes.interrupted ? exitCodes.done : exitCode, bees: 'leave'}),
			);
		};
		onProcessEnd(endController.signal, {restore: () => {}, onCrash: () => {}, onEnd: finish});
		signal.addEventListener('abort', () => finish(exitCodes.terminated), {once: true});
		services.onProblem(endController.signal, print);
		services.consoleOpened(endController.signal, () => {
			const {url = '', link = ''} = services.consoleAt() ?? {};
			print(`The console listens at ${url}. Open once, within ten minutes: ${link}`);
		});
		let reactor: ReactorState | undefined;
		let wasGone = false;
		services.status(endController.signal, ({reactor: now, isGone = false}) => {
			if (now !== reactor) print(reactorSentences[now]);
			if (isGone && !wasGone) print(formatRootGone(services.header.root));
			[reactor, wasGone] = [now, isGone];
		});
		const announceUnlogged = createUnloggedAnnouncer(print);
		const adviseOnce = createAdviser(services, print);
		let facts: InboxFacts = {};
		services.follow(endController.signal, ({traces}) => {
			const sentences = isFirst ? firstSentences(traces) : changeSentences(known, traces);
			for (const sentence of sentences) print(sentence);
			if (isFirst && traces.size === 0) sayHowToBegin(services, print);
			[known, isFirst] = [traces, false];
			adviseOnce(traces);
		});
		services.survey(endController.signal, survey => {
			facts = {...facts, ...survey};
			announceUnlogged(known, facts);
		});
		services.sessions(endController.signal, sessions => {
			facts = {...facts, sessions};
			announceUnlogged(known, facts);
		});
		let {overlaps} = noClashes;
		services.clashes(endController.signal, now => {
			for (const sentence of overlapSentences(overlaps, now.overlaps, known)) print(sentence);
			overlaps = now.overlaps;
			facts = {...facts, conflicts: now.conflicts};
			announceUnlogged(known, facts);
		});
	});

/** Says how to ask for something in a colony without traces, with examples from its repository. */
const sayHowToBegin = ({examples}: DashboardServices, print: (sentence: string) => void): void => {
	print(`Say what you want: "hive cue run feature '<text>'".`);
	void examples().then(
		all => {
			for (const one of all) print(`For example: ${one}.`);
		},
		() => {},
	);
};

/** Says what to try after the first merge, once on this machine. */
const createAdviser = (
	{preferences, updatePreferences}: DashboardServices,
	print: (sentence: string) => void,
) => {
	const lesson: Lesson = 'merge';
	let isDue = !preferences.learned.includes(lesson);
	return (traces: Traces): void => {
		const merged = isDue ? countMerged(traces) : 0;
		if (merged === 0) return;
		isDue = false;
		if (merged === 1) print(mergeAdvice);
		// The advice is repeated at the next start if that cannot be saved.
		void updatePreferences(kept => ({...kept, learned: [...kept.learned, lesson]})).catch(() => {});
	};
};

const reactorSentences: Readonly<Record<ReactorState, string>> = {
	here: 'The reactor is alive.',
	elsewhere: 'The reactor of another process is alive.',
	starting: 'The reactor is starting.',
	none: 'No reactor is alive: nothing is started. Next: "hive run".',
};

/**
 * Announces causes that need a person but have no event, each once: a broken file, a conflict with the base,
 * a session that waits.
 */
const createUnloggedAnnouncer = (print: (sentence: string) => void) => {
	const announced = new Set<string>();
	return (traces: Traces, facts: InboxFacts): void => {
		const logged = new Set(inboxOf(traces.values()).map(({key}) => key));
		for (const {key, title, sentence} of inboxOf(traces.values(), facts)) {
			if (!logged.has(key) && !announced.has(key)) print(`${title}: ${sentence}`);
			announced.add(key);
		}
	};
};

/**
 * Max causes read out at first; the rest are counted. Otherwise a long inbox would delay the first change.
 */
const maxInitialCauses = 10;

/** The number of traces and bees, and the causes that need a person. */
export const firstSentences = (traces: Traces): string[] => {
	const all = [...traces.values()];
	const needs = inboxOf(all);
	const over = all.filter(isOver).length;
	const bees = liveBees(all);
	const left = needs.length - maxInitialCauses;
	return [
		`${formatCount(all.length, 'trace')}, ${over} of them finished, ${formatCount(bees, 'bee')} at work.`,
		needs.length === 0 ? 'Nothing needs you.' : `These need you: ${formatInboxCounts(needs)}.`,
		...needs.slice(0, maxInitialCauses).map(({title, sentence}) => `${title}: ${sentence}`),
		...(left > 0 ? [`And ${left} more: "hive status" has all.`] : []),
	];
};

/** Pairs of traces that newly change the same lines. */
export const overlapSentences = (
	before: Clashes['overlaps'],
	now: Clashes['overlaps'],
	traces: Traces,
): string[] => {
	const nameIn = (traceId: string): string => {
		const trace = traces.get(traceId);
		return trace === undefined ? `Trace ${shortId(traceId)}` : traceName(trace);
	};
	const known = new Set(before.map(({traceIds}) => traceIds.join(' ')));
	return now
		.filter(({traceIds}) => !known.has(traceIds.join(' ')))
		.map(
			({traceIds, paths}) =>
				`${traceIds.map(nameIn).join(' and ')} change the same lines of ${somePaths(paths)}.`,
		);
};

/** The changes between two snapshots, as sentences in the order of the traces. */
export const changeSentences = (before: Traces, after: Traces): string[] =>
	[...after.values()].flatMap(trace => {
		const old = before.get(trace.traceId);
		return old === trace ? [] : traceSentences(old, trace);
	});

const traceSentences = (old: Trace | undefined, trace: Trace): string[] => {
	const name = `Trace ${shortId(trace.traceId)}`;
	const spending = formatShortSpending(trace);
	return [
		...(old
			? []
			: [
					`${name}, ${titleOf(trace) || 'no title yet'}, ${formatCount(openAgentRuns(trace).length, 'bee')} at work.`,
				]),
		...(trace.killed && !old?.killed ? [`${name} is killed.`] : []),
		...(trace.energyBudget !== undefined && old?.energyRemaining !== trace.energyRemaining
			? [`${name}: honey ${trace.energyRemaining} of ${trace.energyBudget}.`]
			: []),
		...(spending !== '' && spending !== (old && formatShortSpending(old))
			? [`${name}: spent ${spending}.`]
			: []),
		...planningSentence(name, old, trace),
		...questionSentences(name, old, trace),
		...planSentences(name, old, trace),
		...warningSentences(name, old, trace),
		...inviteSentences(name, old, trace),
		...[...trace.tasks.values()]
			.filter(task => formatStatus(trace, task) !== formatStatus(old, old?.tasks.get(task.taskId)))
			.map(
				task =>
					`${name}: task ${task.taskId} ${statusClause(trace, task)}${formatTaskSummary(task)}${answerHint(trace, task)}`,
			),
	];
};

/** A request whose planning failed has no task to report it. */
const planningSentence = (name: string, old: Trace | undefined, trace: Trace): string[] => {
	const run = runWithoutTasks(trace);
	if (run?.status !== 'failed' || old?.runs.get(run.agentId)?.status === 'failed') return [];
	return [`${name}: ${beeName(run.bee)} ${runStatusLabel(run)}${run.summary ? `: ${run.summary}` : ''}.`];
};

/** Newly pending invites. */
const inviteSentences = (name: string, old: Trace | undefined, trace: Trace): string[] =>
	invitesOf([trace], 'pending')
		.filter(({inviteId}) => old?.invites.get(inviteId)?.status !== 'pending')
		.map(
			invite =>
				`${name}: ${invite.bee} invites you to talk: ${firstLineOf(invite)}. "hive invite accept ${invite.inviteId}" accepts.`,
		);

/** Runs without a task that newly ask a question. */
const questionSentences = (name: string, old: Trace | undefined, trace: Trace): string[] =>
	askingRuns(trace)
		.filter(run => old === undefined || !asksPerson(old, run))
		.map(
			run =>
				`${name}: ${run.bee} asks you: ${withFullStop(formatQuestions(run))} "hive bee retry ${run.agentId} --feedback '<answer>'" answers.`,
		);

/** A plan that newly waits, or was edited since. */
const planSentences = (name: string, old: Trace | undefined, trace: Trace): string[] => {
	const plan = waitingPlan(trace);
	if (plan === undefined || plan.sequence === (old && waitingPlan(old)?.sequence)) return [];
	const size = formatPlanSize(plan.tasks);
	return [`${name}: a plan of ${size} waits for you. "hive plan show --trace ${trace.traceId}" shows it.`];
};

/** The state already says "changed nothing", so the summary's prefix is dropped. */
const formatTaskSummary = ({summary, waitsFor}: Task): string => {
	const words = waitsFor === 'no_change' ? summary.replace(/^Changed nothing[:.]\s*/, '') : summary;
	if (waitsFor === undefined) return words === '' ? '.' : `: ${words}.`;
	return words === '' ? '.' : `: ${withFullStop(words)}`;
};

/** Text of agents usually has its own final punctuation. */
const withFullStop = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`);

const answerHint = ({traceId}: Trace, {taskId, waitsFor}: Task): string => {
	if (waitsFor !== 'question') return '';
	const command = commandLineOf(actionTable['task.retry'], {traceId, taskId, feedback: '<answer>'});
	return ` "${command}" answers.`;
};

const formatStatus = (trace: Trace | undefined, task: Task | undefined): string | undefined => {
	if (!trace || !task) return undefined;
	return statusWords(taskStatusLabel(trace, task));
};

/** Warnings of runs that ended since. Those of earlier runs are in the log. */
const warningSentences = (name: string, old: Trace | undefined, trace: Trace): string[] =>
	old === undefined
		? []
		: [...trace.runs.values()]
				.filter(({agentId, status}) => status !== old.runs.get(agentId)?.status)
				.flatMap(run => [
					...(run.warnings ?? []).map(text => `${name}: warning of ${beeName(run.bee)}: ${text}.`),
					...quietNotes([run]).map(({text}) => `${name}: outside, while ${beeName(run.bee)} ran: ${text}.`),
				]);
