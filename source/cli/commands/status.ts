import {acceptHint, awaitsAcceptance} from '../../domain/awaiting-configuration.ts';
import {differingMainHint, formatDifferingMain} from '../../domain/differing-main.ts';
import {accepted} from '../../domain/errors.ts';
import {issueName} from '../../domain/issue.ts';
import {formatMachine, type KnownMachine} from '../../domain/machine-status.ts';
import {sayOtherColonies} from '../../domain/other-colonies.ts';
import {type Reserve, reserveOf} from '../../domain/reserve.ts';
import {sanitizeLine} from '../../domain/sanitize.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import type {ReactorStatus} from '../../host/host.ts';
import {readActivities} from '../../host/live/activities.ts';
import {createClashReader} from '../../host/live/clashes.ts';
import {readMains} from '../../host/machines/mains.ts';
import {heldIn, readTraceHoldings} from '../../host/review/decisions.ts';
import {readSessionsOf} from '../../host/sessions/sessions.ts';
import {formatActivity, formatUsage, type RunActivities} from '../../host/views/activity.ts';
import {overlapTexts} from '../../host/views/clashes.ts';
import {configurationProblems} from '../../host/views/colony.ts';
import {formatDuration} from '../../host/views/format-duration.ts';
import {formatCompactCount, formatDollars, formatOutOf} from '../../host/views/format-reserve.ts';
import {formatInboxCounts, type InboxEntry, inboxOf} from '../../host/views/inbox.ts';
import {answerCommand} from '../../host/views/inbox-entry.ts';
import {landingViews} from '../../host/views/landing.ts';
import {beeName, runName} from '../../host/views/name.ts';
import {type OpenRun, openRunsOf, warningsOf} from '../../host/views/run.ts';
import {traceSnapshot, traceView} from '../../host/views/trace.ts';
import {command} from '../command.ts';
import {describeMachine} from '../describe-machine.ts';
import {renderTable} from '../render-table.ts';
import {withWarnings} from '../warning-line.ts';

export const status = command({
	path: 'status',
	summary: 'Show every trace, what waits for a person, and whether a reactor is alive.',
	flags: {},
	description:
		'If several machines share the message bus, it also shows the other machines, and which one has a trace.',
	json: '{v, colony: {slug, root, bus, problems, otherColonies: [<id>…]}, reactors: [{place, pid, startedAt, here, only}], places: [{place, host, root, alive, heardAt, free, total}], mains: [{place, host, root, branch, there, here, only?: {there, here}, merges: [{traceId, taskId, commit, title}]}], inbox: [{key, kind, category, traceId?, taskId?, inviteId?, agentId?, file?, title, sentence, lastRows?, since?, actions}], overlaps: [{traceIds, paths}], landing: [{traceId, taskId, position, tree, state: waiting|checking|landing, since}], doing: [{traceId, agentId, bee, taskId?, title, tool?, about, isFrozen?, usage?: {inputTokens?, outputTokens?, cacheReadTokens?, cacheWriteTokens?, costUsd?, isEstimated?}, spokeAt}], traces: [{traceId, title, energyBudget, energyRemaining, maxCost?, maxTokens?, spent: {cost, tokens}, killed, place, base?: {branch, commit}, issue: null or {number, url}, tasks: [task snapshot with evidence: null or {passed, ran, exitCode, summary, output, seconds or null, agentId}…], runs, invites}]}',
	run: async (_, commandContext) => {
		const context = await commandContext.open();
		const {colony, checkout, clock} = context;
		const [traceFacts, reactor] = [await readTraceHoldings(context), await commandContext.reactor()];
		const machines = (await context.machines()).filter(place => place.checkout !== checkout);
		const others = (await context.bus.otherColonies?.().catch(() => [])) ?? [];
		const otherColonies = sayOtherColonies(colony.id ?? '', others);
		const mains = await readMains(
			context,
			machines,
			traceFacts.map(({trace}) => trace),
		);
		const machineNameOf = createMachineNames(checkout, machines);
		const traces = traceFacts
			.toSorted((one, other) => (one.trace.traceId < other.trace.traceId ? 1 : -1))
			.map(survey => ({...survey, warnings: warningsOf([...survey.trace.runs.values()])}));
		const problems = configurationProblems(colony.problems, reactor?.problems ?? []);
		const {conflicts, overlaps} = await createClashReader(context)(traceFacts.map(({trace}) => trace));
		const open = traceFacts.flatMap(({trace}) => openRunsOf(trace, checkout).map(one => ({...one, trace})));
		const activities = await readActivities(context, open);
		const sessions = await readSessionsOf(
			context,
			traceFacts.map(({trace}) => trace),
		);
		const inbox = inboxOf(
			traces.map(({trace}) => trace),
			{held: heldIn(traceFacts), conflicts, problems, sessions},
		);
		const titles = new Map(traceFacts.map(({trace}) => [trace.traceId, titleOf(trace)]));
		const landing = landingViews(traceFacts.map(({trace}) => trace));
		const budget = colony.defaults.budget;
		const reserves = traces.map(({trace}) => reserveOf(trace, budget));
		const spending = spendingColumns.filter(({isKnown}) => reserves.some(isKnown));
		const hasBase = traces.some(({trace}) => trace.base !== undefined);
		const rows = traces.map(({trace, held, warnings}) => {
			const view = traceView(trace, held);
			const reserve = reserveOf(trace, budget);
			return [
				view.traceId,
				withWarnings(view.state, warnings),
				`${reserve.energyRemaining}/${reserve.energyBudget}`,
				...spending.map(({cell}) => cell(reserve)),
				`${view.work.done}/${view.work.total}`,
				...(machines.length === 0 ? [] : [machineNameOf(trace)]),
				...(hasBase ? [trace.base?.branch ?? ''] : []),
				trace.issue === undefined ? view.title : `${view.title} (${issueName(trace.issue)})`,
			];
		});
		return accepted({
			json: {
				colony: {
					slug: colony.slug,
					root: colony.root,
					bus: context.bus.address,
					problems,
					otherColonies: others,
				},
				reactors: [
					...(reactor === undefined ? [] : [reactorView(checkout, reactor, true)]),
					...machines.filter(({isAlive}) => isAlive).map(place => reactorView(place.checkout, place, false)),
				],
				places: machines.map(({checkout: place, host, root, isAlive, heardAt, free, total}) => ({
					...{place, host, root, alive: isAlive, heardAt, free, total},
				})),
				mains: mains.map(({checkout: place, ...main}) => ({place, ...main})),
				inbox,
				overlaps,
				landing,
				doing: open.map(one => activityView(one, activities)),
				traces: traces.map(({trace}) => traceSnapshot(trace, budget)),
			},
			text: async () => [
				{text: colony.slug, style: 'strong'},
				`  ${formatReactor(reactor)}\n`,
				...machines.map(place => `  ${describeMachine(place)}${formatSlots(place)}\n`),
				...mains.map(main => {
					const text = `  ${formatMachine(main)}: ${formatDifferingMain(main)}. ${differingMainHint(main)}\n`;
					return {text, style: 'attention'} as const;
				}),
				otherColonies === undefined
					? ''
					: ({
							text: `${otherColonies}. "hive doctor" says how to get one id.\n`,
							style: 'attention',
						} as const),
				...problems.map(({path, message}) => ({text: `${path}: ${message}\n`, style: 'bad'}) as const),
				problems.some(awaitsAcceptance) ? `${acceptHint}\n` : '',
				...(rows.length === 0
					? [
							colony.cues.has('feature')
								? 'No traces yet. Start one with: hive cue run feature "<what you want>"'
								: 'No traces yet. Start one with: hive task create --body "<what you want>"',
						]
					: await renderTable(
							[
								...['TRACE', 'STATE', 'HONEY', ...spending.map(({title}) => title), 'DONE'],
								...[...(machines.length === 0 ? [] : ['WHERE']), ...(hasBase ? ['BASE'] : []), 'TITLE'],
							].map(title => ({title})),
							rows,
							commandContext.stdout.columns,
						)),
				...open.map(one => formatOpenRun(one, activities, clock.now())),
				...(inbox.length === 0 ? [] : [{text: formatWaiting(inbox), style: 'strong'} as const]),
				...overlapTexts(overlaps, traceId => titles.get(traceId) ?? '').map(
					text => ({text: `\n${text}`, style: 'attention'}) as const,
				),
				...(traces.some(({warnings}) => warnings.length > 0) ? [legend] : []),
			],
		});
	},
});

type SpendingColumn = {
	readonly title: string;
	readonly isKnown: (reserve: Reserve) => boolean;
	readonly cell: (reserve: Reserve) => string;
};

/** Columns shown if a trace has a value in them. */
const spendingColumns: readonly SpendingColumn[] = [
	{
		title: 'COST',
		isKnown: ({spent, maxCost}) => spent.cost > 0 || maxCost !== undefined,
		cell: ({spent, maxCost}) => formatOutOf(formatDollars, spent.cost, maxCost),
	},
	{
		title: 'TOKENS',
		isKnown: ({maxTokens}) => maxTokens !== undefined,
		cell: ({spent, maxTokens}) => formatOutOf(formatCompactCount, spent.tokens, maxTokens),
	},
];

const reactorView = (
	place: string,
	{pid, startedAt, only}: Pick<ReactorStatus, 'pid' | 'startedAt' | 'only'>,
	here: boolean,
) => ({place, pid, startedAt, here, only});

/** Returns a function that names in a word where a trace is worked on. */
const createMachineNames =
	(checkout: string, machines: readonly KnownMachine[]) =>
	({place}: Trace): string => {
		if (place === undefined) return 'anywhere';
		if (place === checkout) return 'here';
		return machines.find(other => other.checkout === place)?.host ?? place;
	};

const formatSlots = ({isAlive, free, total}: KnownMachine): string =>
	isAlive ? `, ${free} of ${total} slots free` : '';

type OpenTraceRun = OpenRun & {readonly trace: Trace};

/** A run that has written nothing yet has no activity, only its own fields. */
const activityView = ({trace, run}: OpenTraceRun, activities: RunActivities) => {
	const {agentId, bee, taskId} = run;
	const {tool, about = '', isFrozen, used, spokeAt} = activities.get(agentId) ?? {};
	return {
		...{traceId: trace.traceId, agentId, bee, ...(taskId !== undefined && {taskId})},
		...{title: runName(trace, run), ...(tool !== undefined && {tool}), about},
		...{...(isFrozen && {isFrozen}), ...(used && {usage: used})},
		...(spokeAt !== undefined && {spokeAt: new Date(spokeAt).toISOString()}),
	};
};

/** `builder at Sort the list: Edit src/sort.ts ($0.04 · 12.3K tokens, 3 s ago)` */
const formatOpenRun = ({trace, run}: OpenTraceRun, activities: RunActivities, now: number): string => {
	const name = `\n${beeName(run.bee)} at ${runName(trace, run)}`;
	const activity = activities.get(run.agentId);
	if (activity === undefined) return `${name}: nothing said yet`;
	const since = `${formatDuration(now - activity.spokeAt)} ago`;
	return `${name}: ${formatActivity(activity)} (${[formatUsage(activity.used), since].filter(Boolean).join(', ')})`;
};

const formatWaiting = (inbox: readonly InboxEntry[]): string => {
	const listCommands = [
		...new Set(listings.filter(([kind]) => inbox.some(entry => entry.kind === kind)).map(([, way]) => way)),
	];
	const summary = `\n${inbox.length} ${inbox.length === 1 ? 'waits' : 'wait'} for you: ${formatInboxCounts(inbox)}`;
	const first =
		listCommands.length === 0
			? `${summary}.`
			: `${summary} (${listCommands.map(way => `"${way}"`).join(', ')}).`;
	return [first, ...inbox.flatMap(questionLines)].join('\n');
};

/** The agents' questions, each with the command that answers it. */
const questionLines = (entry: InboxEntry): readonly string[] => {
	const command = answerCommand(entry);
	return command === undefined
		? []
		: [`  ${sanitizeLine(`${entry.title}: ${entry.sentence}`)}`, `    ${command}`];
};

const listings = [
	['invite', 'hive invite list'],
	['session', 'hive session list'],
	['plan', 'hive plan show --trace <trace>'],
	['review', 'hive proposal list'],
	['no_change', 'hive proposal list'],
	['conflict', 'hive proposal update --trace <trace>'],
] as const;

const legend = {
	text: '\n!1: one warning about its runs; "hive replay <trace>" shows it.',
	style: 'dim',
} as const;

const formatReactor = (reactor: ReactorStatus | undefined): string => {
	if (reactor === undefined) return 'no reactor is alive: start one with "hive" or "hive run"';
	return reactor.only === undefined
		? `reactor alive (pid ${reactor.pid})`
		: `reactor for trace ${reactor.only} only (pid ${reactor.pid})`;
};
