/** What is known when all has come to rest. Times are left out, since nothing here depends on them. */
export type Evidence = {
	/** A line for each agent process that really started. */
	readonly starts: readonly {readonly agentId: string; readonly traceId: string}[];
	/** Ids of the events that an agent's `hive event emit` acknowledged. */
	readonly acknowledged: readonly string[];
	readonly traces: readonly TracedWork[];
	/** Files of the base by path, as text. */
	readonly base: ReadonlyMap<string, string>;
	/** The person's own files in the checkout. `found` is undefined if the file is gone. */
	readonly own: readonly {readonly path: string; readonly text: string; readonly found: string | undefined}[];
	/** Ids of the traces of the commits that landed on the base. */
	readonly landings: readonly string[];
	/** What git's own check of the repository, and `hive bus verify`, name as missing or damaged. */
	readonly damage: readonly string[];
	/** What is still there: processes, locks, worktrees, refs. */
	readonly remains: readonly string[];
};

export type TracedWork = {
	readonly traceId: string;
	readonly isMerged: boolean;
	readonly planned: readonly string[];
	readonly tasks: readonly {readonly taskId: string; readonly status: string}[];
	readonly log: readonly TracedEvent[];
};

export type TracedEvent = {
	readonly id: string;
	readonly sequence: number;
	readonly payload: {readonly kind: string; readonly [field: string]: unknown};
};

/** Path of the file that a task's agent makes. A task id is `<name>.<milliseconds>.<manner>`. */
export const pathOfTask = (traceId: string, taskId: string): string =>
	`hive-torture/${traceId}-${taskId.split('.')[0]}.md`;

/** Work that was done or acknowledged, and is not where it belongs. */
export const findLost = ({traces, acknowledged, base, own, damage}: Evidence): string[] => {
	const ids = new Set(traces.flatMap(({log}) => log.map(({id}) => id)));
	return [
		...acknowledged
			.filter(id => !ids.has(id))
			.map(id => `The event ${id} was acknowledged and is not logged.`),
		...traces.flatMap(trace => lostOf(trace, base)),
		...own.filter(({text, found}) => found !== text).map(({path}) => `Your unsaved file ${path} changed.`),
		...damage,
	];
};

const lostOf = (trace: TracedWork, base: Evidence['base']): string[] => {
	const {traceId, isMerged, planned, tasks} = trace;
	const known = tasks.map(({taskId}) => taskId);
	const missing = planned.filter(taskId => !known.includes(taskId));
	if (!isMerged) return missing.map(taskId => `The task ${taskId} of ${traceId} is gone.`);
	const absent = planned.filter(taskId => linesOf(base.get(pathOfTask(traceId, taskId))).length === 0);
	return [
		...missing.map(taskId => `The task ${taskId} of ${traceId} is gone.`),
		...absent.map(taskId => `The work of ${taskId} of ${traceId} was merged and is not on the base.`),
	];
};

/** What happened twice and must happen once. */
export const findDoubled = ({starts, traces, base, landings}: Evidence): string[] => [
	...repeated(starts.map(({agentId}) => agentId)).map(id => `The agent ${id} was started twice.`),
	...repeated(landings).map(traceId => `${traceId} was merged twice.`),
	...repeated(traces.flatMap(({log}) => log.map(({id}) => id))).map(id => `The event ${id} is logged twice.`),
	...traces.flatMap(({log}) => doubledIn(log)),
	...traces.flatMap(({traceId, planned}) =>
		planned
			.filter(taskId => linesOf(base.get(pathOfTask(traceId, taskId))).length > 1)
			.map(taskId => `The work of ${taskId} of ${traceId} is on the base twice.`),
	),
];

const doubledIn = (log: readonly TracedEvent[]): string[] => {
	const agentsOf = (kind: string) =>
		log.filter(({payload}) => payload.kind === kind).map(({payload}) => String(payload.agentId));
	const claims = log
		.filter(({payload}) => payload.kind === 'energy.consume' && typeof payload.agentId === 'string')
		.map(({payload}) => String(payload.agentId));
	return [
		...repeated(claims).map(id => `The run ${id} was paid twice.`),
		...repeated(agentsOf('run.finished')).map(id => `The run ${id} ended twice.`),
	];
};

/** What no work needs any more, and is still there. */
export const findLeft = ({traces, starts, remains}: Evidence): string[] => {
	const events = traces.flatMap(({log}) => log);
	const of = (kind: string) =>
		events.filter(({payload}) => payload.kind === kind).map(({payload}) => String(payload.agentId));
	const [claimed, ended] = [new Set(of('energy.consume')), new Set(of('run.finished'))];
	return [
		...starts
			.filter(({agentId}) => claimed.has(agentId) && !ended.has(agentId))
			.map(({agentId}) => `The run ${agentId} is still open.`),
		...remains,
	];
};

const repeated = (values: readonly string[]): string[] => [
	...new Set(values.filter((value, index) => values.indexOf(value) < index)),
];

export const linesOf = (text = ''): string[] => text.split(/\r?\n/).filter(line => line !== '');
