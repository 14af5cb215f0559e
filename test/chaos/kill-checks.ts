import {setTimeout as pass} from 'node:timers/promises';
import {isGateId} from '../../source/domain/ids.ts';
import {agentsHolding, describeProcess} from './machine.ts';
import {findStaleFiles} from './projection-check.ts';
import type {Event, ScratchColony} from './scratch-colony.ts';

type Found = {readonly breaches: string[]; readonly figures: Readonly<Record<string, number>>};

type Snapshot = {
	readonly traceId: string;
	readonly energyBudget: number;
	readonly energyRemaining: number;
	readonly killed: boolean;
	readonly tasks: readonly {readonly taskId: string; readonly status: string}[];
	readonly runs: readonly {readonly agentId: string; readonly status: string}[];
};

/** Checks a colony at rest against every promise of docs/reliability.md §2 that applies to it. */
export const findBreaches = async (colony: ScratchColony, traces: readonly string[]): Promise<Found> => {
	const status = await colony.ask<{traces: readonly Snapshot[]}>(['status']);
	const started = colony.noted('starts').map(line => line.split(' '));
	const starts = started.map(([agentId = '']) => agentId);
	const twice = starts.filter((agentId, index) => starts.indexOf(agentId) < index);
	const logs = new Map<string, readonly Event[]>();
	for (const traceId of traces) logs.set(traceId, await colony.replay(traceId));
	const lost = lostAnswers(colony, [...logs.values()].flat());
	const orphans = await orphansOf(colony);
	const stale: string[] = [];
	for (const trace of status.traces)
		stale.push(...(await findStaleFiles(colony, trace, logs.get(trace.traceId) ?? [])));
	const claims = [...logs.values()].flat().filter(isClaim);
	return {
		breaches: [
			...twice.map(agentId => `the agent ${agentId} was started twice`),
			...lost.map(id => `the event ${id} was acknowledged and is not in the log`),
			...orphans.map(process => `an orphan process: ${process}`),
			...stale,
			...started
				.filter(([, traceId = '']) => traces.includes(traceId))
				.filter(([id]) => !claims.some(({payload}) => payload.agentId === id))
				.map(([id]) => `${id} started without a claim`),
			...status.traces.flatMap(trace => breachesOf(trace, logs.get(trace.traceId) ?? [])),
		],
		figures: {
			runs: claims.length,
			starts: starts.length,
			'double starts': twice.length,
			answers: colony.noted('answers').length,
			'lost events': lost.length,
			orphans: orphans.length,
		},
	};
};

const isClaim = ({payload: {kind, agentId}}: Event): boolean =>
	kind === 'energy.consume' && typeof agentId === 'string';

const breachesOf = (trace: Snapshot, log: readonly Event[]): string[] => {
	const say = (what: string) => `${trace.traceId}: ${what}`;
	const claims = log.filter(isClaim);
	const added = log
		.filter(({payload}) => payload.kind === 'energy.add')
		.reduce((sum, {payload}) => sum + Number(payload.amount), 0);
	const agents = claims.map(({payload}) => String(payload.agentId));
	const ends = log.filter(({payload}) => payload.kind === 'run.finished').map(({payload}) => payload.agentId);
	const isOver = (taskId: string, status: string) =>
		trace.killed
			? ['completed', 'failed', 'cancelled'].includes(status)
			: status === 'completed' || (isGateId(taskId) && status === 'waiting_review');
	const spent = trace.energyBudget + added - trace.energyRemaining;
	// Hive's own runs, which verify, cost nothing.
	const paid = claims.filter(({payload}) => payload.verifies === undefined).length;
	return [
		...(spent === paid ? [] : [say(`${spent} units spent, ${paid} paid claims`)]),
		...agents.filter((id, index) => agents.indexOf(id) < index).map(id => say(`${id} was claimed twice`)),
		...agents
			.filter(id => ends.filter(end => end === id).length !== 1)
			.map(id => say(`${id} has not ended once`)),
		...trace.runs.filter(({status}) => status === 'running').map(({agentId}) => say(`${agentId} is open`)),
		...trace.tasks
			.filter(({taskId, status}) => !isOver(taskId, status))
			.map(({taskId, status}) => say(`${taskId} is ${status}`)),
		...log
			.filter(({sequence}, index) => sequence <= (log[index - 1]?.sequence ?? 0))
			.map(({id}) => say(`${id} is out of order`)),
	];
};

/** Returns the ids that `event emit` acknowledged and that the log does not contain. */
const lostAnswers = (colony: ScratchColony, log: readonly Event[]): string[] => {
	const held = new Set(log.map(({id}) => id));
	return colony
		.noted('answers')
		.flatMap(line => {
			const {ok, id}: {ok?: boolean; id?: string} = JSON.parse(line);
			return ok && id ? [id] : [];
		})
		.filter(id => !held.has(id));
};

/** The maximum time in milliseconds until a killed process is gone. */
const moment = 1500;

const orphansOf = async (colony: ScratchColony): Promise<string[]> => {
	if (agentsHolding(colony.folder).length > 0) await pass(moment);
	return agentsHolding(colony.folder).map(describeProcess);
};
