import {counted} from '../domain/counted.ts';
import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {firstLineOf} from '../domain/invite.ts';
import {questionWords} from '../domain/run-questions.ts';
import {sanitizeWords} from '../domain/sanitize.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, runWithoutTasks, type Trace, titleOf} from '../domain/trace.ts';
import {commandLineOf} from '../host/actions/command-line.ts';
import {actionTable} from '../host/actions/table.ts';
import type {ReactorState} from '../host/live/live.ts';
import {type Clashes, noClashes, somePaths} from '../host/views/clashes.ts';
import {goneWords} from '../host/views/gone.ts';
import {type InboxFacts, inboxOf, inboxWords} from '../host/views/inbox.ts';
import {invitesOf} from '../host/views/invite.ts';
import {traceName} from '../host/views/name.ts';
import {shortSpending} from '../host/views/reserve.ts';
import {askingRuns, asksPerson, quietNotes, runWords} from '../host/views/run.ts';
import {statusClause, statusWords} from '../host/views/task.ts';
import {isOver} from '../host/views/trace.ts';
import type {DashboardEnd} from './handle/context.ts';
import {shortId} from './parts/words.ts';
import {onEndings} from './terminal/signals.ts';
import type {World} from './world.ts';

type Traces = ReadonlyMap<string, Trace>;

/**
 * The dashboard for screen readers: the current state, then each change as a sentence. Nothing is redrawn,
 * and the commands of `hive` replace the keys.
 */
export const startLinear = (
	world: World,
	write: (text: string) => void,
	signal: AbortSignal,
): Promise<Outcome<DashboardEnd>> =>
	new Promise(resolve => {
		const ending = new AbortController();
		let known: Traces = new Map();
		let isFirst = true;
		const say = (sentence: string): void => write(`${sanitizeWords(sentence)}\n`);
		say(`hive, colony ${world.header.slug}, branch ${world.header.branch}. Ctrl+C ends it.`);
		const finish = (exitCode: number): void => {
			ending.abort();
			resolve(
				accepted({exitCode: exitCode === exitCodes.interrupted ? exitCodes.done : exitCode, bees: 'leave'}),
			);
		};
		onEndings(ending.signal, {restore: () => {}, crashed: () => {}, end: finish});
		signal.addEventListener('abort', () => finish(exitCodes.terminated), {once: true});
		world.complaints(ending.signal, say);
		world.consoleOpened(ending.signal, () => {
			const {url = '', link = ''} = world.consoleAt() ?? {};
			say(`The console listens at ${url}. Open once, within ten minutes: ${link}`);
		});
		let reactor: ReactorState | undefined;
		let wasGone = false;
		world.status(ending.signal, ({reactor: now, isGone = false}) => {
			if (now !== reactor) say(reactorSentences[now]);
			if (isGone && !wasGone) say(goneWords(world.header.root));
			[reactor, wasGone] = [now, isGone];
		});
		const sayUnlogged = createUnlogged(say);
		let facts: InboxFacts = {};
		world.follow(ending.signal, ({traces}) => {
			const sentences = isFirst ? firstSentences(traces) : changeSentences(known, traces);
			for (const sentence of sentences) say(sentence);
			[known, isFirst] = [traces, false];
		});
		world.survey(ending.signal, survey => {
			facts = {...facts, ...survey};
			sayUnlogged(known, facts);
		});
		let {overlaps} = noClashes;
		world.clashes(ending.signal, now => {
			for (const sentence of overlapSentences(overlaps, now.overlaps, known)) say(sentence);
			overlaps = now.overlaps;
			facts = {...facts, conflicts: now.conflicts};
			sayUnlogged(known, facts);
		});
	});

const reactorSentences: Readonly<Record<ReactorState, string>> = {
	here: 'The reactor is alive.',
	elsewhere: 'The reactor of another process is alive.',
	starting: 'The reactor is starting.',
	none: 'No reactor is alive: nothing is started. Next: "hive run".',
};

/**
 * Announces causes that need a person but have no event, each once: a broken file, a conflict with the base.
 */
const createUnlogged = (say: (sentence: string) => void) => {
	const said = new Set<string>();
	return (traces: Traces, facts: InboxFacts): void => {
		const logged = new Set(inboxOf(traces.values()).map(({key}) => key));
		for (const {key, title, sentence} of inboxOf(traces.values(), facts)) {
			if (!logged.has(key) && !said.has(key)) say(`${title}: ${sentence}`);
			said.add(key);
		}
	};
};

/**
 * Max causes read out at first; the rest are counted. Otherwise a long inbox would delay the first change.
 */
const mostAtFirst = 10;

/** The number of traces and bees, and the causes that need a person. */
export const firstSentences = (traces: Traces): string[] => {
	const all = [...traces.values()];
	const needs = inboxOf(all);
	const over = all.filter(isOver).length;
	const bees = all.reduce((sum, trace) => sum + openRuns(trace).length, 0);
	const left = needs.length - mostAtFirst;
	return [
		`${counted(all.length, 'trace')}, ${over} of them finished, ${counted(bees, 'bee')} at work.`,
		needs.length === 0 ? 'Nothing needs you.' : `These need you: ${inboxWords(needs)}.`,
		...needs.slice(0, mostAtFirst).map(({title, sentence}) => `${title}: ${sentence}`),
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
	const spending = shortSpending(trace);
	return [
		...(old
			? []
			: [`${name}, ${titleOf(trace) || 'no title yet'}, ${counted(openRuns(trace).length, 'bee')} at work.`]),
		...(trace.killed && !old?.killed ? [`${name} is killed.`] : []),
		...(trace.energyBudget !== undefined && old?.energyRemaining !== trace.energyRemaining
			? [`${name}: honey ${trace.energyRemaining} of ${trace.energyBudget}.`]
			: []),
		...(spending !== '' && spending !== (old && shortSpending(old)) ? [`${name}: spent ${spending}.`] : []),
		...planningSentence(name, old, trace),
		...questionSentences(name, old, trace),
		...warningSentences(name, old, trace),
		...inviteSentences(name, old, trace),
		...[...trace.tasks.values()]
			.filter(task => statusIn(trace, task) !== statusIn(old, old?.tasks.get(task.taskId)))
			.map(
				task =>
					`${name}: task ${task.taskId} ${statusClause(trace, task)}${wordsOf(task)}${answerHint(trace, task)}`,
			),
	];
};

/** A request whose planning failed has no task to report it. */
const planningSentence = (name: string, old: Trace | undefined, trace: Trace): string[] => {
	const run = runWithoutTasks(trace);
	if (run?.status !== 'failed' || old?.runs.get(run.agentId)?.status === 'failed') return [];
	return [`${name}: ${run.bee} ${runWords(run)}${run.summary ? `: ${run.summary}` : ''}.`];
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
				`${name}: ${run.bee} asks you: ${ended(questionWords(run))} "hive bee retry ${run.agentId} --feedback '<answer>'" answers.`,
		);

/** The state already says "changed nothing", so the summary's prefix is dropped. */
const wordsOf = ({summary, waitsFor}: Task): string => {
	const words = waitsFor === 'no_change' ? summary.replace(/^Changed nothing[:.]\s*/, '') : summary;
	if (waitsFor === undefined) return words === '' ? '.' : `: ${words}.`;
	return words === '' ? '.' : `: ${ended(words)}`;
};

/** Text of agents usually has its own final punctuation. */
const ended = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`);

const answerHint = ({traceId}: Trace, {taskId, waitsFor}: Task): string => {
	if (waitsFor !== 'question') return '';
	const command = commandLineOf(actionTable['task.retry'], {traceId, taskId, feedback: '<answer>'});
	return ` "${command}" answers.`;
};

const statusIn = (trace: Trace | undefined, task: Task | undefined): string | undefined => {
	if (!trace || !task) return undefined;
	return statusWords(trace, task).replaceAll('_', ' ');
};

/** Warnings of runs that ended since. Those of earlier runs are in the log. */
const warningSentences = (name: string, old: Trace | undefined, trace: Trace): string[] =>
	old === undefined
		? []
		: [...trace.runs.values()]
				.filter(({agentId, status}) => status !== old.runs.get(agentId)?.status)
				.flatMap(run => [
					...(run.warnings ?? []).map(text => `${name}: warning of ${run.bee}: ${text}.`),
					...quietNotes([run]).map(({text}) => `${name}: outside, while ${run.bee} ran: ${text}.`),
				]);
