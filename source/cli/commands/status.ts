import {accepted, type Detail} from '../../domain/errors.ts';
import {isGateId} from '../../domain/ids.ts';
import {openRuns, runWithoutTasks, type Trace, titleOf} from '../../domain/trace.ts';
import type {ReactorStatus} from '../../host/host.ts';
import {starvedTraces} from '../../host/starved-traces.ts';
import {openLedger} from '../../ledger/ledger.ts';
import {command} from '../command.ts';
import {renderTable} from '../render-table.ts';
import {traceJson} from '../snapshot-json.ts';

export const status = command({
	path: 'status',
	summary: 'Show every trace, what waits for a person, and whether a reactor is alive.',
	flags: {},
	json: '{v, colony: {slug, root, bus, problems}, reactors: […], traces: [{traceId, title, energyBudget, energyRemaining, killed, tasks, runs}]}',
	run: async (_, session) => {
		const {bus, colony, place} = await session.open();
		const [ledger, reactor] = [await openLedger(bus), await session.reactor()];
		const traces = [...ledger.traces().values()].toSorted((one, other) =>
			one.traceId < other.traceId ? 1 : -1,
		);
		const problems = allProblems(colony.problems, reactor?.problems ?? []);
		const starved = await starvedTraces(bus, colony, ledger.snapshot);
		const budget = colony.defaults.energyBudget;
		const rows = traces.map(trace => [
			trace.traceId,
			stateOf(trace, starved.has(trace.traceId)),
			honeyOf(trace, budget),
			doneOf(trace),
			titleOf(trace),
		]);
		return accepted({
			json: {
				colony: {slug: colony.slug, root: colony.root, bus: 'embedded', problems},
				reactors:
					reactor === undefined
						? []
						: [{place, pid: reactor.pid, startedAt: reactor.startedAt, here: true, only: reactor.only}],
				traces: traces.map(trace => traceJson(trace, budget)),
			},
			text: async () => [
				{text: colony.slug, style: 'strong'},
				`  ${reactorWords(reactor)}\n`,
				...problems.map(({path, message}) => ({text: `${path}: ${message}\n`, style: 'bad'}) as const),
				...(rows.length === 0
					? [
							colony.cues.has('feature')
								? 'No traces yet. Start one with: hive cue run feature "<what you want>"'
								: 'No traces yet. Start one with: hive task create --body "<what you want>"',
						]
					: await renderTable(
							['TRACE', 'STATE', 'HONEY', 'DONE', 'TITLE'].map(title => ({title})),
							rows,
							session.stdout.columns,
						)),
			],
		});
	},
});

const reactorWords = (reactor: ReactorStatus | undefined): string => {
	if (reactor === undefined) return 'no reactor is alive: start one with "hive" or "hive run"';
	return reactor.only === undefined
		? `reactor alive (pid ${reactor.pid})`
		: `reactor for trace ${reactor.only} only (pid ${reactor.pid})`;
};

/** Of the files, and what the reactor does about them. */
const allProblems = (ofFiles: readonly Detail[], ofReactor: readonly Detail[]): readonly Detail[] => [
	...ofReactor,
	...ofFiles.filter(
		({path, message}) => !ofReactor.some(other => other.path === path && other.message.endsWith(message)),
	),
];

/** The one word that matters most of a trace. */
const stateOf = (trace: Trace, isStarved: boolean): string => {
	if (trace.killed) return 'killed';
	const statuses = [...trace.tasks.values()].map(task => task.status);
	const first = (['waiting_review', 'failed', 'blocked'] as const).find(wanted => statuses.includes(wanted));
	if (first !== undefined) return first;
	if (isStarved) return 'blocked';
	if (openRuns(trace).length > 0) return 'running';
	if (statuses.length > 0 && statuses.every(now => now === 'completed' || now === 'cancelled'))
		return 'completed';
	if (statuses.length > 0) return 'ready';
	return runWithoutTasks(trace)?.status ?? 'requested';
};

const honeyOf = ({energyBudget, energyRemaining}: Trace, budget: number): string =>
	energyBudget === undefined ? `${budget + energyRemaining}/${budget}` : `${energyRemaining}/${energyBudget}`;

const doneOf = ({tasks}: Trace): string => {
	const work = [...tasks.values()].filter(({taskId}) => !isGateId(taskId));
	return `${work.filter(({status: now}) => now === 'completed').length}/${work.length}`;
};
